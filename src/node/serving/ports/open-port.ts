import type { ServedNode } from '../served-node.js';
import { refusePort } from './refused-port.js';
import { listenOptions } from './shared-ports.js';

interface OpenedPort {
  /** Name of the server in log lines, such as `http fullnode`. */
  readonly api: string;
  readonly port: number;
  /** Starts to listen. @returns the port that the system chose; undefined if the port is the configured one */
  listen(options: ReturnType<typeof listenOptions>): Promise<number | undefined>;
}

/**
 * Starts a server at `tronicle.api.address`, and logs the start. If the port is not available, see {@link refusePort}.
 * @returns true if the server listens
 * @throws {TronError} PORT_IN_USE: the port is not available, and the release does not run without it
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
