import type { Logger } from 'pino';
import type { ApiRelease } from '../../../api/releases/api-release.js';
import { errorText, TronError } from '../../../primitives/errors.js';

/** A port on which a server cannot listen. */
interface RefusedPort {
  readonly api: string;
  readonly port: number;
  readonly release: ApiRelease;
  readonly log: Logger;
}

/**
 * Logs the error of a port on which a server cannot listen. The node then runs without this server, except in
 * releases that stop the node (`ApiRelease.stopsWithoutPort`). Reference: TronError.ErrCode.API_SERVER_INIT,
 * PROMETHEUS_INIT
 * @throws {TronError} PORT_IN_USE: in those releases
 */
export function refusePort({ api, port, release, log }: RefusedPort, error: unknown): void {
  log.error({ err: error, api, port }, 'server not listening');
  if (!release.stopsWithoutPort) return;
  const reason = errorText(error);
  throw new TronError('PORT_IN_USE', `${api} cannot listen on port ${port}: ${reason}`, { cause: error });
}
