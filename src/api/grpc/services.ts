import type { MessageType } from '../../codec/descriptor.js';
import {
  BuyStorageBytesContract,
  BuyStorageContract,
  NumberMessage,
  PaginatedMessage,
  SellStorageContract,
} from '../../codec/generated/messages.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { ServerName } from '../servers.js';
import { type GrpcMethod, type GrpcMethods, GrpcStatusError, method } from './grpc-method.js';
import { Status } from './grpc-reply.js';
import { monitorMethods } from './methods/monitor-methods.js';
import { nodeInfoMethod } from './methods/node-info-method.js';
import {
  accountQueries,
  blockQueries,
  chainQueries,
  databaseMethods,
  laterQueries,
  solidWitnessPage,
  waitingQueries,
} from './methods/query-methods.js';
import { SOLIDITY_SHIELDED, shieldedMethods } from './methods/shielded-methods.js';
import { contractMethods, transactionMethods } from './methods/transaction-methods.js';

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

/** What the port of the PBFT state only declares. */
const pbftDeclared: GrpcMethods = {
  GetTransactionInfoByBlockNum: declared('protocol.WalletSolidity/GetTransactionInfoByBlockNum', NumberMessage),
};

const laterSolidity: GrpcMethods = {
  GetBandwidthPrices: laterQueries['GetBandwidthPrices']!,
  GetEnergyPrices: laterQueries['GetEnergyPrices']!,
  GetPaginatedNowWitnessList: solidWitnessPage,
};

const laterPbft: GrpcMethods = {
  ...laterSolidity,
  GetPaginatedNowWitnessList: declared('protocol.WalletSolidity/GetPaginatedNowWitnessList', PaginatedMessage),
};

/** What decides about the services of a port beside the port. */
interface ServicesOptions {
  readonly release: Pick<ApiRelease, 'hasLaterQueries'>;
  /** `node.metricsEnable` */
  readonly hasMonitor?: boolean | undefined;
}

/**
 * Services of a port by their full names. `WalletExtension` is a matter of the stand-alone solidity node.
 * Reference: RpcApiService, RpcApiServiceOnSolidity, RpcApiServiceOnPBFT.
 */
export function grpcServices(
  server: ServerName,
  { release: { hasLaterQueries }, hasMonitor = false }: ServicesOptions,
): Readonly<Record<string, GrpcMethods>> {
  const database = { 'protocol.Database': databaseMethods };
  if (server === 'fullnode') {
    const methods = hasLaterQueries ? { ...wallet, ...laterQueries } : wallet;
    return { 'protocol.Wallet': methods, ...database, ...(hasMonitor ? { 'protocol.Monitor': monitorMethods } : {}) };
  }
  const isPbft = server === 'pbft';
  const solidity = {
    ...Object.fromEntries(SOLIDITY_METHODS.map((name) => [name, wallet[name]!])),
    ...(hasLaterQueries && (isPbft ? laterPbft : laterSolidity)),
    ...(isPbft && pbftDeclared),
  };
  return { 'protocol.WalletSolidity': solidity, ...database };
}

/** Its request is read all the same, as the reference reads it. */
function declared(name: string, request: MessageType<object>): GrpcMethod {
  return method(request, () => {
    throw new GrpcStatusError(Status.UNIMPLEMENTED, `Method ${name} is unimplemented`);
  });
}
