import type { GrpcMethods } from './grpc-method.js';
import { monitorMethods } from './monitor-methods.js';
import { nodeInfoMethod } from './node-info-method.js';
import { accountQueries, blockQueries, chainQueries, databaseMethods, waitingQueries } from './query-methods.js';
import { SOLIDITY_SHIELDED, shieldedMethods } from './shielded-methods.js';
import { contractMethods, transactionMethods } from './transaction-methods.js';

/** Servers by their ports: full node, solidified state, PBFT state. */
export type GrpcServerName = 'fullnode' | 'solidity' | 'pbft';

/** Declared in the schema, but never implemented. */
const UNIMPLEMENTED = ['BuyStorage', 'BuyStorageBytes', 'SellStorage'];

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
};

/** A service on one port: its methods, and those that are only declared. */
export interface GrpcService {
  readonly methods: GrpcMethods;
  readonly unimplemented: readonly string[];
}

/**
 * Services of a port by their full names. `WalletExtension` is a matter of the stand-alone solidity node.
 * Reference: RpcApiService, RpcApiServiceOnSolidity, RpcApiServiceOnPBFT.
 * @param hasMonitor `node.metricsEnable`
 */
export function grpcServices(server: GrpcServerName, hasMonitor = false): Readonly<Record<string, GrpcService>> {
  const database = { methods: databaseMethods, unimplemented: [] };
  if (server === 'fullnode') {
    return {
      'protocol.Wallet': { methods: wallet, unimplemented: UNIMPLEMENTED },
      'protocol.Database': database,
      ...(hasMonitor ? { 'protocol.Monitor': { methods: monitorMethods, unimplemented: [] } } : {}),
    };
  }
  const names = server === 'pbft' ? SOLIDITY_METHODS.filter((name) => name !== PBFT_LACKS) : SOLIDITY_METHODS;
  return {
    'protocol.WalletSolidity': {
      methods: Object.fromEntries(names.map((name) => [name, wallet[name]!])),
      unimplemented: server === 'pbft' ? [PBFT_LACKS] : [],
    },
    'protocol.Database': database,
  };
}

const PBFT_LACKS = 'GetTransactionInfoByBlockNum';
