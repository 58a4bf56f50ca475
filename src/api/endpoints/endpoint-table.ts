import { accountRows } from './account-endpoints.js';
import { assetRows } from './asset-endpoints.js';
import { blockRows } from './block-endpoints.js';
import { buildRows } from './build-endpoints.js';
import { chainRows } from './chain-endpoints.js';
import type { OperationRow, RpcRow } from './endpoint-definition.js';
import { rpcRows } from './rpc-endpoints.js';
import { shieldedRows } from './shielded-endpoints.js';
import { stakeRows } from './stake-endpoints.js';
import { transactionRows } from './transaction-endpoints.js';

/** All operations that HTTP has, but the builders of one contract type, which `contracts` has. */
export const operationRows: readonly OperationRow[] = [
  accountRows,
  assetRows,
  blockRows,
  buildRows,
  chainRows,
  shieldedRows,
  stakeRows,
  transactionRows,
].flatMap((rows) => Object.values<OperationRow>(rows));

/** Those that gRPC has beside them too. */
export const allRpcRows: readonly RpcRow[] = [...operationRows, ...Object.values<RpcRow>(rpcRows)];
