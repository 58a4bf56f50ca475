import {
  Account,
  AccountBalanceRequest,
  type Block,
  BlockBalanceTraceBlockIdentifier,
  BlockExtention,
  BlockHeader,
  BlockHeaderRaw,
  BlockLimit,
  type BlockList,
  BlockListExtention,
  BlockReference,
  BlockReq,
  BytesMessage,
  CanDelegatedMaxSizeRequestMessage,
  CanWithdrawUnfreezeAmountRequestMessage,
  DelegatedResourceMessage,
  DynamicProperties,
  EmptyMessage,
  GetAvailableUnfreezeCountRequestMessage,
  MarketOrderPair,
  NumberMessage,
  PaginatedMessage,
  PricesResponseMessage,
  Return,
  type Transaction,
  TransactionExtention,
  TransactionIdList,
  TransactionRaw,
} from '../../../codec/generated/messages.js';
import { toAddress } from '../../../domain/address.js';
import { toHex, toInt64, toUtf8 } from '../../../domain/bytes.js';
import { HASH_BYTES, sha256 } from '../../../domain/hash.js';
import { illegalArgument } from '../../../java/error.js';
import { JavaHashMap, javaHashOfText } from '../../../java/hash-map.js';
import { blockId } from '../../../vm/block/decoded-block.js';
import { javaError } from '../../../vm/java-errors.js';
import type { BytesProperty } from '../../../vm/parameters/property-table.js';
import { brokerageOf, queryReward } from '../../../vm/rewards/rewards.js';
import {
  account,
  accountBalance,
  accountById,
  accountNet,
  accountResource,
  blockBalance,
} from '../../operations/accounts.js';
import { assetById, assetByName, assetPage, assets, assetsOfAccount, assetsOfName } from '../../operations/assets.js';
import {
  blockById,
  blockByIdOrNumber,
  blockByNumber,
  blocksFrom,
  newestBlock,
  newestBlocks,
  transactionById,
  transactionInfoById,
  transactionInfosByNumber,
} from '../../operations/blocks.js';
import {
  availableUnfreezeCount,
  delegableMaxSize,
  delegatedResource,
  delegatedResourceV2,
  delegationIndex,
  withdrawableAmount,
} from '../../operations/delegations.js';
import {
  chainParameters,
  exchange,
  exchangePage,
  exchanges,
  proposal,
  proposalPage,
  proposals,
  witnesses,
  witnessPage,
} from '../../operations/governance.js';
import { listNodes } from '../../operations/list-nodes.js';
import {
  marketOrder,
  marketOrdersOfAccount,
  marketOrdersOfPair,
  marketPairs,
  marketPrices,
} from '../../operations/market.js';
import { contract, contractInfo } from '../../operations/smart-contracts.js';
import { transactionIdHex } from '../../operations/waiting.js';
import { type GrpcMethod, type GrpcMethods, method, question } from '../grpc-method.js';

/** Blocks that one range may name. Reference: RpcApiService.BLOCK_LIMIT_NUM. */
const BLOCKS_MAX = 100n;

/** Questions about accounts, assets, delegations and rewards. */
export const accountQueries: GrpcMethods = {
  GetAccount: question(Account, ({ address }, view) => account(view, address)),
  GetAccountById: question(Account, ({ accountId }, view) => accountById(view, accountId)),
  GetAccountNet: question(Account, ({ address }, view) => accountNet(view, address)),
  GetAccountResource: question(Account, ({ address }, view) => accountResource(view, address)),
  GetAccountBalance: question(AccountBalanceRequest, (request, view) => accountBalance(view, request)),
  GetBlockBalanceTrace: question(BlockBalanceTraceBlockIdentifier, (request, view) => blockBalance(view, request)),
  GetAssetIssueByAccount: question(Account, ({ address }, view) => assetsOfAccount(view, address)),
  GetAssetIssueByName: question(BytesMessage, ({ value }, view) => assetOrNone(() => assetByName(view, value))),
  GetAssetIssueListByName: question(BytesMessage, ({ value }, view) => assetsOfName(view, value)),
  GetAssetIssueById: question(BytesMessage, ({ value }, view) => assetById(view, toUtf8(value))),
  GetAssetIssueList: question(EmptyMessage, (_, view) => assets(view)),
  GetPaginatedAssetIssueList: question(PaginatedMessage, ({ offset, limit }, view) => assetPage(view, offset, limit)),
  GetDelegatedResource: question(DelegatedResourceMessage, ({ fromAddress, toAddress: to }, view) =>
    delegatedResource(view, fromAddress, to),
  ),
  GetDelegatedResourceV2: question(DelegatedResourceMessage, ({ fromAddress, toAddress: to }, view) =>
    delegatedResourceV2(view, fromAddress, to),
  ),
  GetDelegatedResourceAccountIndex: question(BytesMessage, ({ value }, view) => delegationIndex(view, 'v1', value)),
  GetDelegatedResourceAccountIndexV2: question(BytesMessage, ({ value }, view) => delegationIndex(view, 'v2', value)),
  GetCanDelegatedMaxSize: question(CanDelegatedMaxSizeRequestMessage, ({ ownerAddress, type }, view) =>
    delegableMaxSize(view, ownerAddress, type),
  ),
  GetAvailableUnfreezeCount: question(GetAvailableUnfreezeCountRequestMessage, ({ ownerAddress }, view) =>
    availableUnfreezeCount(view, ownerAddress),
  ),
  GetCanWithdrawUnfreezeAmount: question(CanWithdrawUnfreezeAmountRequestMessage, ({ ownerAddress, timestamp }, view) =>
    withdrawableAmount(view, ownerAddress, timestamp),
  ),
  GetRewardInfo: question(BytesMessage, ({ value }, view) => number(queryReward(view.state, toAddress(value)))),
  GetBrokerageInfo: question(BytesMessage, ({ value }, view) => {
    const cycle = view.state.properties.get('CURRENT_CYCLE_NUMBER');
    return number(brokerageOf(view.state, toAddress(value), cycle));
  }),
};

/** A name that several assets bear finds none. */
function assetOrNone(find: () => object | undefined): object | undefined {
  try {
    return find();
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return undefined;
  }
}

/** Questions about blocks and transactions. */
export const blockQueries: GrpcMethods = {
  GetNowBlock: question(EmptyMessage, (_, view) => newestBlock(view)),
  GetNowBlock2: question(EmptyMessage, (_, view) => blockExtention(newestBlock(view))),
  GetBlockByNum: question(NumberMessage, ({ num }, view) => blockByNumber(view, num)),
  GetBlockByNum2: question(NumberMessage, ({ num }, view) => blockExtention(blockByNumber(view, num))),
  GetBlockById: question(BytesMessage, ({ value }, view) => blockById(view, value)),
  GetBlock: question(BlockReq, (request, view) => blockExtention(blockByIdOrNumber(view, request)), 'argument'),
  GetBlockByLimitNext: question(BlockLimit, ({ startNum, endNum }, view) =>
    isRange(startNum, endNum) ? blocksFrom(view, startNum, endNum - startNum) : undefined,
  ),
  GetBlockByLimitNext2: question(BlockLimit, ({ startNum, endNum }, view) =>
    isRange(startNum, endNum) ? listExtention(blocksFrom(view, startNum, endNum - startNum)) : undefined,
  ),
  GetBlockByLatestNum: question(NumberMessage, ({ num }, view) =>
    num > 0n && num < BLOCKS_MAX ? newestBlocks(view, num) : undefined,
  ),
  GetBlockByLatestNum2: question(NumberMessage, ({ num }, view) =>
    num > 0n && num < BLOCKS_MAX ? listExtention(newestBlocks(view, num)) : undefined,
  ),
  GetTransactionCountByBlockNum: question(NumberMessage, ({ num }, view) => {
    const block = blockByNumber(view, num);
    return number(block === undefined ? -1n : BigInt(block.transactions.length));
  }),
  GetTransactionById: question(BytesMessage, ({ value }, view) => transactionById(view, value)),
  GetTransactionInfoById: question(BytesMessage, ({ value }, view) => transactionInfoById(view, value)),
  GetTransactionInfoByBlockNum: question(
    NumberMessage,
    ({ num }, view) => transactionInfosByNumber(view, num),
    'internal',
  ),
};

function isRange(start: bigint, end: bigint): boolean {
  return end > 0n && end > start && end - start <= BLOCKS_MAX;
}

/** What releases after 4.7.2 ask. */
export const laterQueries: GrpcMethods = {
  GetPaginatedNowWitnessList: question(PaginatedMessage, (page, view) => witnessPage(view, page, true), 'internal'),
  GetBandwidthPrices: prices('BANDWIDTH_PRICE_HISTORY'),
  GetEnergyPrices: prices('ENERGY_PRICE_HISTORY'),
  GetMemoFee: prices('MEMO_FEE_HISTORY'),
};

/** The same without the bound of the newest block: states of solidified blocks are whole. */
export const solidWitnessPage = question(PaginatedMessage, (page, view) => witnessPage(view, page, false));

function prices(property: BytesProperty): GrpcMethod {
  return question(EmptyMessage, (_, { state }) =>
    Object.assign(new PricesResponseMessage(), { prices: toUtf8(state.properties.bytes(property)) }),
  );
}

/** Questions about witnesses, proposals, exchanges, markets, contracts and the node. */
export const chainQueries: GrpcMethods = {
  ListWitnesses: question(EmptyMessage, (_, view) => witnesses(view)),
  ListProposals: question(EmptyMessage, (_, view) => proposals(view)),
  GetPaginatedProposalList: question(PaginatedMessage, ({ offset, limit }, view) => proposalPage(view, offset, limit)),
  GetProposalById: question(BytesMessage, ({ value }, view) => proposal(view, keyOf(value))),
  ListExchanges: question(EmptyMessage, (_, view) => exchanges(view)),
  GetPaginatedExchangeList: question(PaginatedMessage, ({ offset, limit }, view) => exchangePage(view, offset, limit)),
  GetExchangeById: question(BytesMessage, ({ value }, view) => exchange(view, keyOf(value))),
  GetChainParameters: question(EmptyMessage, (_, view) => chainParameters(view)),
  GetNextMaintenanceTime: question(EmptyMessage, (_, view) =>
    number(view.state.properties.get('NEXT_MAINTENANCE_TIME')),
  ),
  GetBurnTrx: question(EmptyMessage, (_, view) => number(view.state.properties.get('BURN_TRX_AMOUNT'))),
  // The reference counts the rows of a store that it no longer fills.
  TotalTransaction: question(EmptyMessage, () => number(0n)),
  ListNodes: method(EmptyMessage, (_, { api }) => listNodes(api.peers)),
  GetMarketOrderById: question(BytesMessage, ({ value }, view) => marketOrder(view, value), 'internal'),
  GetMarketOrderByAccount: question(BytesMessage, ({ value }, view) => marketOrdersOfAccount(view, value), 'internal'),
  GetMarketPriceByPair: question(
    MarketOrderPair,
    ({ sellTokenId, buyTokenId }, view) => marketPrices(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketOrderListByPair: question(
    MarketOrderPair,
    ({ sellTokenId, buyTokenId }, view) => marketOrdersOfPair(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketPairList: question(EmptyMessage, (_, view) => marketPairs(view), 'internal'),
  GetContract: question(BytesMessage, ({ value }, view) => contract(view, value)),
  GetContractInfo: question(BytesMessage, ({ value }, view) => contractInfo(view, value)),
};

/** Questions about transactions that wait. */
export const waitingQueries: GrpcMethods = {
  GetTransactionFromPending: method(BytesMessage, ({ value }, { api }) => {
    if (value.length !== HASH_BYTES) throw illegalArgument(null);
    return api.waiting.find(toHex(value));
  }),
  GetTransactionListFromPending: method(EmptyMessage, (_, { api }) => {
    const ids = new JavaHashMap<string, null>(javaHashOfText);
    for (const transaction of api.waiting.all()) ids.set(transactionIdHex(transaction), null);
    return Object.assign(new TransactionIdList(), { txId: ids.entries().map(([id]) => id) });
  }),
  GetPendingSize: method(EmptyMessage, (_, { api }) => number(BigInt(api.waiting.count))),
};

/** The service `Database`. */
export const databaseMethods: GrpcMethods = {
  getBlockReference: question(EmptyMessage, (_, view) =>
    Object.assign(new BlockReference(), {
      blockNum: BigInt(view.headNumber),
      blockHash: view.blockIdAt(view.headNumber)!,
    }),
  ),
  GetDynamicProperties: question(EmptyMessage, (_, view) =>
    Object.assign(new DynamicProperties(), {
      lastSolidityBlockNum: view.state.properties.get('LATEST_SOLIDIFIED_BLOCK_NUM'),
    }),
  ),
  GetNowBlock: blockQueries['GetNowBlock']!,
  GetBlockByNum: blockQueries['GetBlockByNum']!,
};

/** A transaction with its id, as a good outcome. Reference: RpcApiService.transaction2Extention. */
export function transactionExtention(transaction: Transaction): TransactionExtention {
  const raw = TransactionRaw.encode(transaction.rawData ?? new TransactionRaw());
  return Object.assign(new TransactionExtention(), {
    transaction,
    txid: sha256(raw),
    result: Object.assign(new Return(), { result: true }),
  });
}

function blockExtention(block: Block | undefined): BlockExtention | undefined {
  if (block === undefined) return undefined;
  const header = block.blockHeader ?? new BlockHeader();
  return Object.assign(new BlockExtention(), {
    blockHeader: header,
    blockid: blockId(header.rawData ?? new BlockHeaderRaw()),
    transactions: block.transactions.map(transactionExtention),
  });
}

function listExtention({ block }: BlockList): BlockListExtention {
  return Object.assign(new BlockListExtention(), { block: block.map((item) => blockExtention(item)!) });
}

function number(num: bigint): NumberMessage {
  return Object.assign(new NumberMessage(), { num });
}

/** Rows of these stores have keys of 8 bytes; others find nothing. */
function keyOf(bytes: Uint8Array): bigint {
  return bytes.length === 8 ? toInt64(bytes) : -1n;
}
