/**
 * State that a server reads. `head`: the head with pending transactions. `solidified`: the solidified state that
 * java-tron would have on disk. `pbft`: the state confirmed by PBFT.
 */
export type PortView = 'head' | 'solidified' | 'pbft';

/**
 * java-tron's servers, and the state that each of them reads. Each server has its own ports for HTTP, gRPC and
 * JSON-RPC.
 */
export const serverViews = {
  fullnode: 'head',
  solidity: 'solidified',
  pbft: 'pbft',
} as const satisfies Readonly<Record<string, PortView>>;

export type ServerName = keyof typeof serverViews;

/** Names of the servers in start order. */
export const serverNames: readonly ServerName[] = ['fullnode', 'solidity', 'pbft'];

export function byServer<T>(make: (server: ServerName) => T): Readonly<Record<ServerName, T>> {
  return { fullnode: make('fullnode'), solidity: make('solidity'), pbft: make('pbft') };
}

/** Path prefix of the operations of each server. */
export const httpContexts: Readonly<Record<ServerName, string>> = {
  fullnode: '/wallet/',
  solidity: '/walletsolidity/',
  pbft: '/walletpbft/',
};
