import type { RpcEndpoint } from './endpoint-definition.js';

/** Operations that exist only over gRPC. */
export const rpcEndpoints = {
  BlockReference: { rpc: ['getBlockReference'] },
  DynamicProperties: { rpc: ['GetDynamicProperties'] },
  BuyStorage: { rpc: ['BuyStorage'] },
  BuyStorageBytes: { rpc: ['BuyStorageBytes'] },
  SellStorage: { rpc: ['SellStorage'] },
  CreateShieldNullifier: { rpc: ['CreateShieldNullifier'] },
  CreateShieldedTransaction: { rpc: ['CreateShieldedTransaction', 'CreateShieldedTransactionWithoutSpendAuthSig'] },
  GetShieldTransactionHash: { rpc: ['GetShieldTransactionHash'] },
} as const satisfies Readonly<Record<string, RpcEndpoint>>;
