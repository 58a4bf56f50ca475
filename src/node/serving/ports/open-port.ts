import type { ServedNode } from '../served-node.js';
import { refusePort } from './refused-port.js';
import { listenOptions } from './shared-ports.js';

interface OpenedPort {
  /** Name of the server for the log, such as `http fullnode`. */
  readonly api: string;
  readonly port: number;
  /** Makes the server listen. @returns its port, if the system has chosen it */
  listen(options: ReturnType<typeof listenOptions>): Promise<number | undefined>;
}

/**
 * Makes a server listen at `tronicle.api.address`, and logs it. If the port is not available, see {@link refusePort}.
 * @returns true if the server listens
 * @throws {TronError} PORT_IN_USE, in a release that stops without a port
 */
export async function openPort(
  { api: { settings }, config, role, log }: Pick<ServedNode, 'api' | 'config' | 'role' | 'log'>,
  { api, port, listen }: OpenedPort,
): Promise<boolean> {
  try {
    const chosen = await listen(listenOptions({ port, host: config.tronicle.api.address }, role?.ports));
    log.info({ api, port: chosen ?? port }, 'server listening');
    return true;
  } catch (error) {
    refusePort({ api, port, release: settings.release, log }, error);
    return false;
  }
}
