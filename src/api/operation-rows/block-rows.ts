import { serverNames } from '../servers.js';
import type { OperationRow } from './operation-row.js';

/** Blocks, transactions and their results. */
export const blockRows = {
  GetNowBlock: { name: 'getnowblock', servers: serverNames, reads: {}, prints: 'Block' },
  GetBlockByNum: { name: 'getblockbynum', servers: serverNames, reads: { num: 'int64' }, prints: 'Block' },
  GetBlockById: { name: 'getblockbyid', servers: serverNames, reads: { value: 'bytes' }, prints: 'Block' },
  GetBlockByLimitNext: {
    name: 'getblockbylimitnext',
    servers: serverNames,
    reads: { startNum: 'int64', endNum: 'int64' },
    prints: 'BlockList',
  },
  GetBlockByLatestNum: {
    name: 'getblockbylatestnum',
    servers: serverNames,
    reads: { num: 'int64' },
    prints: 'BlockList',
  },
  GetBlock: { name: 'getblock', servers: serverNames, reads: { id_or_num: 'text', detail: 'bool' }, prints: 'Block' },
  GetTransactionCountByBlockNum: {
    name: 'gettransactioncountbyblocknum',
    servers: serverNames,
    reads: { num: 'int64' },
    prints: 'other',
  },
  GetTransactionById: {
    name: 'gettransactionbyid',
    servers: serverNames,
    reads: { value: 'bytes' },
    prints: 'Transaction',
  },
  GetTransactionInfoById: {
    name: 'gettransactioninfobyid',
    servers: serverNames,
    reads: { value: 'bytes' },
    prints: 'TransactionInfo',
  },
  GetTransactionReceiptById: {
    name: 'gettransactionreceiptbyid',
    servers: ['fullnode'],
    reads: { value: 'bytes' },
    prints: 'TransactionInfo',
  },
  GetTransactionInfoByBlockNum: {
    name: 'gettransactioninfobyblocknum',
    servers: ['fullnode', 'solidity'],
    reads: { num: 'int64' },
    prints: 'TransactionInfoList',
  },
  TotalTransaction: { name: 'totaltransaction', servers: ['fullnode'], reads: {}, prints: 'NumberMessage' },
  GetTransactionFromPending: {
    name: 'gettransactionfrompending',
    servers: ['fullnode'],
    reads: { value: 'bytes' },
    prints: 'Transaction',
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
