/** What a closed interface says, over HTTP without a line end. */
export const LITE_REFUSAL = 'this API is closed because this node is a lite fullnode';
const HISTORY = [
    ...['getblockbyid', 'getblockbylatestnum', 'getblockbylimitnext', 'getblockbynum', 'getmerkletreevoucherinfo'],
    ...['gettransactionbyid', 'gettransactioncountbyblocknum', 'gettransactioninfobyid', 'isspend'],
    ...['scanandmarknotebyivk', 'scannotebyivk', 'scannotebyovk', 'getmarketorderbyaccount', 'getmarketorderbyid'],
    ...['getmarketpricebypair', 'getmarketorderlistbypair', 'getmarketpairlist', 'scanshieldedtrc20notesbyivk'],
    ...['scanshieldedtrc20notesbyovk', 'isshieldedtrc20contractnotespent'],
];
/** Paths that a lite full node does not answer. Reference: LiteFnQueryHttpFilter. */
export const litePaths = new Set([
    ...HISTORY.flatMap((name) => [`/wallet/${name}`, `/walletsolidity/${name}`, `/walletpbft/${name}`]),
    ...['gettransactionreceiptbyid', 'totaltransaction', 'gettransactioninfobyblocknum'].map((name) => `/wallet/${name}`),
    '/walletsolidity/gettransactioninfobyblocknum',
]);
const RPC_BOTH = [
    ...['GetBlockByNum', 'GetBlockByNum2', 'GetMerkleTreeVoucherInfo', 'GetTransactionById', 'IsSpend'],
    ...['GetTransactionCountByBlockNum', 'GetTransactionInfoById', 'ScanAndMarkNoteByIvk', 'ScanNoteByIvk'],
    ...['ScanNoteByOvk', 'GetMarketOrderByAccount', 'GetMarketOrderById', 'GetMarketPriceByPair'],
    ...['GetMarketOrderListByPair', 'GetMarketPairList', 'ScanShieldedTRC20NotesByIvk'],
    ...['ScanShieldedTRC20NotesByOvk', 'IsShieldedTRC20ContractNoteSpent'],
];
const RPC_WALLET = [
    ...['GetBlockById', 'GetBlockByLatestNum', 'GetBlockByLatestNum2', 'GetBlockByLimitNext'],
    ...['GetBlockByLimitNext2', 'TotalTransaction'],
];
/** gRPC methods that a lite full node does not answer. Reference: LiteFnQueryGrpcInterceptor. */
export const liteMethods = new Set([
    ...RPC_BOTH.flatMap((name) => [`protocol.Wallet/${name}`, `protocol.WalletSolidity/${name}`]),
    ...RPC_WALLET.map((name) => `protocol.Wallet/${name}`),
    'protocol.Database/GetBlockByNum',
]);
/**
 * Whether a chain began from a snapshot: its blocks do not reach down to the first. A node that executed all of its blocks
 * never is. Reference: ChainBaseManager.isLiteNode.
 */
export function isLiteNode(head) {
    return head.headNumber > 1 && head.blockIdAt(1) === undefined;
}
//# sourceMappingURL=lite-node.js.map