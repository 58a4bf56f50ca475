import type { MessageType } from '../../log/codec/descriptor.js';
import {
  BuyStorageBytesContract,
  BuyStorageContract,
  NumberMessage,
  SellStorageContract,
} from '../../log/codec/generated/messages.js';
import { Status } from './answer-call.js';
import { type GrpcMethod, type GrpcMethods, GrpcStatusError, method } from './grpc-method.js';
import { monitorMethods } from './monitor-methods.js';
import { nodeInfoMethod } from './node-info-method.js';
import { accountQueries, blockQueries, chainQueries, databaseMethods, waitingQueries } from './query-methods.js';
import { SOLIDITY_SHIELDED, shieldedMethods } from './shielded-methods.js';
import { contractMethods, transactionMethods } from './transaction-methods.js';

/** Servers by their ports: full node, solidified state, PBFT state. */
export type GrpcServerName = 'fullnode' | 'solidity' | 'pbft';

/** Declared in the schema, but never implemented. */
const storageMethods: GrpcMethods = {
  BuyStorage: declared('protocol.Wallet/BuyStorage', BuyStorageContract),
  BuyStorageBytes: declared('protocol.Wallet/BuyStorageBytes', BuyStorageBytesContract),
  SellStorage: declared('protocol.Wallet/SellStorage', SellStorageContract),
};

/** What `WalletSolidity` has of the questions of `Wallet`. */
const SOLIDITY_METHODS = [
  ...['GetAccount', 'GetAccountById', 'ListWitnesses', 'GetAssetIssueList', 'GetPaginatedAssetIssueList'],
  ...['GetAssetIssueByName', 'GetAssetIssueListByName', 'GetAssetIssueById', 'GetNowBlock', 'GetNowBlock2'],
  ...['GetBlockByNum', 'GetBlockByNum2', 'GetTransactionCountByBlockNum', 'GetDelegatedResource'],
  ...['GetDelegatedResourceV2', 'GetDelegatedResourceAccountIndex', 'GetDelegatedResourceAccountIndexV2'],
  ...['GetCanDelegatedMaxSize', 'GetAvailableUnfreezeCount', 'GetCanWithdrawUnfreezeAmount', 'GetExchangeById'],
  ...['ListExchanges', 'GetTransactionById', 'GetTransactionInfoById', 'GetRewardInfo', 'GetBrokerageInfo'],
  ...['TriggerConstantContract', 'EstimateEnergy', 'GetTransactionInfoByBlockNum', 'GetMarketOrderById'],
  ...['GetMarketOrderByAccount', 'GetMarketPriceByPair', 'GetMarketOrderListByPair', 'GetMarketPairList'],
  ...['GetBurnTrx', 'GetBlock'],
  ...SOLIDITY_SHIELDED,
];

const wallet: GrpcMethods = {
  ...accountQueries,
  ...blockQueries,
  ...chainQueries,
  ...waitingQueries,
  ...transactionMethods,
  ...contractMethods,
  ...shieldedMethods,
  GetNodeInfo: nodeInfoMethod,
  ...storageMethods,
};

/** The one that the port of the PBFT state only declares. */
const pbftDeclared: GrpcMethods = {
  GetTransactionInfoByBlockNum: declared('protocol.WalletSolidity/GetTransactionInfoByBlockNum', NumberMessage),
};

/**
 * Services of a port by their full names. `WalletExtension` is a matter of the stand-alone solidity node.
 * Reference: RpcApiService, RpcApiServiceOnSolidity, RpcApiServiceOnPBFT.
 * @param hasMonitor `node.metricsEnable`
 */
export function grpcServices(server: GrpcServerName, hasMonitor = false): Readonly<Record<string, GrpcMethods>> {
  const database = { 'protocol.Database': databaseMethods };
  if (server === 'fullnode') {
    return { 'protocol.Wallet': wallet, ...database, ...(hasMonitor ? { 'protocol.Monitor': monitorMethods } : {}) };
  }
  const solidity = Object.fromEntries(SOLIDITY_METHODS.map((name) => [name, wallet[name]!]));
  return { 'protocol.WalletSolidity': { ...solidity, ...(server === 'pbft' ? pbftDeclared : {}) }, ...database };
}

/** Its request is read all the same, as the reference reads it. */
function declared(name: string, request: MessageType<object>): GrpcMethod {
  return method(request, () => {
    throw new GrpcStatusError(Status.UNIMPLEMENTED, `Method ${name} is unimplemented`);
  });
}
