import { TronError } from '../../../primitives/errors.js';

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** An address at which no server can listen. */
interface RefusedAddress extends ListenAddress {
  /** Error code of the operating system, such as EADDRINUSE. */
  readonly code: string;
}

/**
 * Ports of an API thread that other API threads also listen on. The kernel distributes the connections to the threads.
 */
export class SharedPorts {
  private readonly refused: ReadonlyMap<string, string>;
  private readonly opened = new Set<string>();

  /** @param refused addresses that were not available before the first thread started */
  constructor(refused: readonly RefusedAddress[]) {
    this.refused = new Map(refused.map(({ code, ...address }) => [keyOf(address), code]));
  }

  /**
   * Reserves an address for a server. Checks that no other server listens there.
   * @throws {TronError} PORT_IN_USE: another process or another server of this thread listens
   */
  open(address: ListenAddress): void {
    const key = keyOf(address);
    const code = this.refused.get(key) ?? (this.opened.has(key) ? 'EADDRINUSE' : undefined);
    if (code !== undefined) throw new TronError('PORT_IN_USE', `listen ${code}: ${key}`);
    this.opened.add(key);
  }
}

/**
 * Returns the options with which a server listens.
 * @param shared ports that several threads listen on; undefined if only one thread serves the APIs
 * @throws {TronError} PORT_IN_USE: another server listens at the address
 */
export function listenOptions(
  address: ListenAddress,
  shared: SharedPorts | undefined,
): ListenAddress & { readonly reusePort: boolean } {
  shared?.open(address);
  return { ...address, reusePort: shared !== undefined };
}

function keyOf({ host, port }: ListenAddress): string {
  return `${host}:${port}`;
}
