import { accountEndpoints } from './account-endpoints.js';
import { assetEndpoints } from './asset-endpoints.js';
import { blockEndpoints } from './block-endpoints.js';
import { buildEndpoints } from './build-endpoints.js';
import { chainEndpoints } from './chain-endpoints.js';
import type { EndpointDefinition, RpcEndpoint } from './endpoint-definition.js';
import { rpcEndpoints } from './rpc-endpoints.js';
import { shieldedEndpoints } from './shielded-endpoints.js';
import { stakeEndpoints } from './stake-endpoints.js';
import { transactionEndpoints } from './transaction-endpoints.js';

/** All HTTP operations, except those that build a transaction of one contract type (see `builderEndpoint`). */
export const endpoints: readonly EndpointDefinition[] = [
  accountEndpoints,
  assetEndpoints,
  blockEndpoints,
  buildEndpoints,
  chainEndpoints,
  shieldedEndpoints,
  stakeEndpoints,
  transactionEndpoints,
].flatMap((rows) => Object.values<EndpointDefinition>(rows));

/** All gRPC operations, including those without an HTTP path. */
export const allRpcEndpoints: readonly RpcEndpoint[] = [...endpoints, ...Object.values<RpcEndpoint>(rpcEndpoints)];
