import { accountRows } from './account-rows.js';
import { assetRows } from './asset-rows.js';
import { blockRows } from './block-rows.js';
import { buildRows } from './build-rows.js';
import { chainRows } from './chain-rows.js';
import type { OperationRow, RpcRow } from './operation-row.js';
import { rpcRows } from './rpc-rows.js';
import { shieldedRows } from './shielded-rows.js';
import { stakeRows } from './stake-rows.js';
import { transactionRows } from './transaction-rows.js';

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
