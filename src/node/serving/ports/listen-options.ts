import { createServer, type Server } from 'node:net';
import { TronError } from '../../../primitives/errors.js';

/** How several API threads listen on the same ports. Can be sent to a thread. */
export interface SharedPortsData {
  /** One byte for each port; 1 if another program has the port. */
  readonly taken: SharedArrayBuffer;
  /**
   * True in the thread that starts first. The system would also share a port with another process of the same user, so
   * this thread finds out which ports are free.
   */
  readonly probesPorts: boolean;
}

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** Number of bytes of `SharedPortsData.taken`. */
export const PORT_COUNT = 65_536;

/** The ports that one of several API threads opens. */
export class SharedPorts {
  private readonly taken: Uint8Array;
  private readonly probesPorts: boolean;
  private readonly opened = new Set<string>();

  constructor({ taken, probesPorts }: SharedPortsData) {
    this.taken = new Uint8Array(taken);
    this.probesPorts = probesPorts;
  }

  /**
   * Checks that no other server has a port.
   * @throws {TronError} PORT_IN_USE; other errors of the system, such as a host that this machine does not have
   */
  async open({ port, host }: ListenAddress): Promise<void> {
    const address = `${host}:${port}`;
    if (this.opened.has(address)) throw new TronError('PORT_IN_USE', `another server of this node has port ${port}`);
    if (this.probesPorts) this.taken[port] = (await isFree({ port, host })) ? 0 : 1;
    if (this.taken[port] === 1) throw new TronError('PORT_IN_USE', `another program listens on port ${port}`);
    this.opened.add(address);
  }
}

/**
 * Returns the options with which a server listens. If several threads share the port, the system distributes its
 * connections to them (`reusePort`).
 * @throws see {@link SharedPorts.open}
 */
export async function listenOptions(
  { port, host }: ListenAddress,
  shared: SharedPorts | undefined,
): Promise<ListenAddress & { readonly reusePort: boolean }> {
  await shared?.open({ port, host });
  return { port, host, reusePort: shared !== undefined };
}

/** Returns false if another server listens on an address. @throws other errors of the system */
async function isFree(address: ListenAddress): Promise<boolean> {
  const server: Server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, resolve);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return true;
}
