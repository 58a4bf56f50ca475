import { createServer, type Server } from 'node:net';
import { TronError } from '../../../primitives/errors.js';

/** How several API threads listen on the same ports. Can be sent to a thread. */
export interface SharedPorts {
  /** One byte for each port; 1 if another program has the port. */
  readonly taken: SharedArrayBuffer;
  /**
   * True in the thread that starts first. The system would also share a port with another process of the same user, so
   * this thread finds out which ports are free.
   */
  readonly findsTaken: boolean;
}

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** Number of bytes of `SharedPorts.taken`. */
export const PORT_COUNT = 65_536;

/**
 * Returns the options with which a server listens. If several threads share the port, the system distributes its
 * connections to them (`reusePort`).
 * @throws {TronError} PORT_IN_USE: another program has the port
 */
export async function listenOptions(
  { port, host }: ListenAddress,
  shared: SharedPorts | undefined,
): Promise<ListenAddress & { readonly reusePort: boolean }> {
  if (shared === undefined) return { port, host, reusePort: false };
  const taken = new Uint8Array(shared.taken);
  if (shared.findsTaken) taken[port] = (await isFree({ port, host })) ? 0 : 1;
  if (taken[port] === 1) throw new TronError('PORT_IN_USE', `another program listens on port ${port}`);
  return { port, host, reusePort: true };
}

async function isFree(address: ListenAddress): Promise<boolean> {
  const server: Server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
  } catch {
    return false;
  }
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return true;
}
