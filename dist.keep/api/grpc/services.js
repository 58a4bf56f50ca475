import { BuyStorageBytesContract, BuyStorageContract, NumberMessage, PaginatedMessage, SellStorageContract, } from '../../log/codec/generated/messages.js';
import { Status } from './answer-call.js';
import { GrpcStatusError, method } from './grpc-method.js';
import { monitorMethods } from './monitor-methods.js';
import { nodeInfoMethod } from './node-info-method.js';
import { accountQueries, blockQueries, chainQueries, databaseMethods, laterQueries, solidWitnessPage, waitingQueries, } from './query-methods.js';
import { SOLIDITY_SHIELDED, shieldedMethods } from './shielded-methods.js';
import { contractMethods, transactionMethods } from './transaction-methods.js';
/** Declared in the schema, but never implemented. */
const storageMethods = {
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
const wallet = {
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
const pbftDeclared = {
    GetTransactionInfoByBlockNum: declared('protocol.WalletSolidity/GetTransactionInfoByBlockNum', NumberMessage),
};
const laterSolidity = {
    GetBandwidthPrices: laterQueries['GetBandwidthPrices'],
    GetEnergyPrices: laterQueries['GetEnergyPrices'],
    GetPaginatedNowWitnessList: solidWitnessPage,
};
const laterPbft = {
    ...laterSolidity,
    GetPaginatedNowWitnessList: declared('protocol.WalletSolidity/GetPaginatedNowWitnessList', PaginatedMessage),
};
/**
 * Services of a port by their full names. `WalletExtension` is a matter of the stand-alone solidity node.
 * Reference: RpcApiService, RpcApiServiceOnSolidity, RpcApiServiceOnPBFT.
 */
export function grpcServices(server, { release: { hasLaterQueries }, hasMonitor = false }) {
    const database = { 'protocol.Database': databaseMethods };
    if (server === 'fullnode') {
        const methods = hasLaterQueries ? { ...wallet, ...laterQueries } : wallet;
        return { 'protocol.Wallet': methods, ...database, ...(hasMonitor ? { 'protocol.Monitor': monitorMethods } : {}) };
    }
    const isPbft = server === 'pbft';
    const solidity = {
        ...Object.fromEntries(SOLIDITY_METHODS.map((name) => [name, wallet[name]])),
        ...(hasLaterQueries && (isPbft ? laterPbft : laterSolidity)),
        ...(isPbft && pbftDeclared),
    };
    return { 'protocol.WalletSolidity': solidity, ...database };
}
/** Its request is read all the same, as the reference reads it. */
function declared(name, request) {
    return method(request, () => {
        throw new GrpcStatusError(Status.UNIMPLEMENTED, `Method ${name} is unimplemented`);
    });
}
//# sourceMappingURL=services.js.map