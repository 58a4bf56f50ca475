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

/** All operations that HTTP has, but the builders of one contract type, which `contracts` has. */
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

/** Those that gRPC has beside them too. */
export const allRpcEndpoints: readonly RpcEndpoint[] = [...endpoints, ...Object.values<RpcEndpoint>(rpcEndpoints)];
