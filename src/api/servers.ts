/**
 * Which state a server answers: the head with what waits, the irreversible one on the reference's disk, the one that
 * PBFT confirmed.
 */
export type PortView = 'head' | 'solidified' | 'pbft';

/**
 * The interfaces that the reference serves, each on ports of its own for HTTP, gRPC and JSON-RPC, and the state that
 * each answers from.
 */
export const serverViews = {
  fullnode: 'head',
  solidity: 'solidified',
  pbft: 'pbft',
} as const satisfies Readonly<Record<string, PortView>>;

export type ServerName = keyof typeof serverViews;

/** In the order in which they are started. */
export const serverNames: readonly ServerName[] = ['fullnode', 'solidity', 'pbft'];

export function byServer<T>(make: (server: ServerName) => T): Readonly<Record<ServerName, T>> {
  return { fullnode: make('fullnode'), solidity: make('solidity'), pbft: make('pbft') };
}

/** What the paths of a server's operations begin with. */
export const httpContexts: Readonly<Record<ServerName, string>> = {
  fullnode: '/wallet/',
  solidity: '/walletsolidity/',
  pbft: '/walletpbft/',
};
