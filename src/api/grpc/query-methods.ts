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
  Return,
  type Transaction,
  TransactionExtention,
  TransactionIdList,
  TransactionRaw,
} from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { toHex, toInt64, toUtf8 } from '../../log/domain/bytes.js';
import { sha256 } from '../../log/domain/hash.js';
import { blockId } from '../../vm/block/decoded-block.js';
import { JavaHashMap, javaHashOfText } from '../../vm/java-hash-map.js';
import { brokerageOf, queryReward } from '../../vm/rewards.js';
import { javaError, nullPointer } from '../java/java-error.js';
import {
  account,
  accountBalance,
  accountById,
  accountNet,
  accountResource,
  blockBalance,
} from '../operations/accounts.js';
import { assetById, assetByName, assetPage, assets, assetsOfAccount, assetsOfName } from '../operations/assets.js';
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
} from '../operations/blocks.js';
import {
  availableUnfreezeCount,
  delegableMaxSize,
  delegatedResource,
  delegatedResourceV2,
  delegationIndex,
  withdrawableAmount,
} from '../operations/delegations.js';
import {
  chainParameters,
  exchange,
  exchangePage,
  exchanges,
  proposal,
  proposalPage,
  proposals,
  witnesses,
} from '../operations/governance.js';
import { listNodes } from '../operations/list-nodes.js';
import {
  marketOrder,
  marketOrdersOfAccount,
  marketOrdersOfPair,
  marketPairs,
  marketPrices,
} from '../operations/market.js';
import { contract, contractInfo } from '../operations/smart-contracts.js';
import { transactionIdHex } from '../operations/waiting.js';
import { type GrpcMethods, method } from './grpc-method.js';

/** Blocks that one range may name. Reference: RpcApiService.BLOCK_LIMIT_NUM. */
const BLOCKS_MAX = 100n;

/** Questions about accounts, assets, delegations and rewards. */
export const accountQueries: GrpcMethods = {
  GetAccount: method(Account, ({ address }, { view }) => account(view, address)),
  GetAccountById: method(Account, ({ accountId }, { view }) => accountById(view, accountId)),
  GetAccountNet: method(Account, ({ address }, { view }) => accountNet(view, address)),
  GetAccountResource: method(Account, ({ address }, { view }) => accountResource(view, address)),
  GetAccountBalance: method(AccountBalanceRequest, (request, { view }) => accountBalance(view, request)),
  GetBlockBalanceTrace: method(BlockBalanceTraceBlockIdentifier, (request, { view }) => blockBalance(view, request)),
  GetAssetIssueByAccount: method(Account, ({ address }, { view }) => assetsOfAccount(view, address)),
  GetAssetIssueByName: method(BytesMessage, ({ value }, { view }) => assetOrNone(() => assetByName(view, value))),
  GetAssetIssueListByName: method(BytesMessage, ({ value }, { view }) => assetsOfName(view, value)),
  GetAssetIssueById: method(BytesMessage, ({ value }, { view }) => assetById(view, toUtf8(value))),
  GetAssetIssueList: method(EmptyMessage, (_, { view }) => assets(view)),
  GetPaginatedAssetIssueList: method(PaginatedMessage, ({ offset, limit }, { view }) => assetPage(view, offset, limit)),
  GetDelegatedResource: method(DelegatedResourceMessage, ({ fromAddress, toAddress: to }, { view }) =>
    delegatedResource(view, fromAddress, to),
  ),
  GetDelegatedResourceV2: method(DelegatedResourceMessage, ({ fromAddress, toAddress: to }, { view }) =>
    delegatedResourceV2(view, fromAddress, to),
  ),
  GetDelegatedResourceAccountIndex: method(BytesMessage, ({ value }, { view }) => delegationIndex(view, 'v1', value)),
  GetDelegatedResourceAccountIndexV2: method(BytesMessage, ({ value }, { view }) => delegationIndex(view, 'v2', value)),
  GetCanDelegatedMaxSize: method(CanDelegatedMaxSizeRequestMessage, ({ ownerAddress, type }, { view }) =>
    delegableMaxSize(view, ownerAddress, type),
  ),
  GetAvailableUnfreezeCount: method(GetAvailableUnfreezeCountRequestMessage, ({ ownerAddress }, { view }) =>
    availableUnfreezeCount(view, ownerAddress),
  ),
  GetCanWithdrawUnfreezeAmount: method(
    CanWithdrawUnfreezeAmountRequestMessage,
    ({ ownerAddress, timestamp }, { view }) => withdrawableAmount(view, ownerAddress, timestamp),
  ),
  GetRewardInfo: method(BytesMessage, ({ value }, { view }) => number(queryReward(view.state, toAddress(value)))),
  GetBrokerageInfo: method(BytesMessage, ({ value }, { view }) => {
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
  GetNowBlock: method(EmptyMessage, (_, { view }) => newestBlock(view)),
  GetNowBlock2: method(EmptyMessage, (_, { view }) => blockExtention(newestBlock(view))),
  GetBlockByNum: method(NumberMessage, ({ num }, { view }) => blockByNumber(view, num)),
  GetBlockByNum2: method(NumberMessage, ({ num }, { view }) => blockExtention(blockByNumber(view, num))),
  GetBlockById: method(BytesMessage, ({ value }, { view }) => blockById(view, value)),
  GetBlock: method(BlockReq, (request, { view }) => blockExtention(blockByIdOrNumber(view, request)), 'argument'),
  GetBlockByLimitNext: method(BlockLimit, ({ startNum, endNum }, { view }) =>
    isRange(startNum, endNum) ? blocksFrom(view, startNum, endNum - startNum) : undefined,
  ),
  GetBlockByLimitNext2: method(BlockLimit, ({ startNum, endNum }, { view }) =>
    isRange(startNum, endNum) ? listExtention(blocksFrom(view, startNum, endNum - startNum)) : undefined,
  ),
  GetBlockByLatestNum: method(NumberMessage, ({ num }, { view }) =>
    num > 0n && num < BLOCKS_MAX ? newestBlocks(view, num) : undefined,
  ),
  GetBlockByLatestNum2: method(NumberMessage, ({ num }, { view }) =>
    num > 0n && num < BLOCKS_MAX ? listExtention(newestBlocks(view, num)) : undefined,
  ),
  GetTransactionCountByBlockNum: method(NumberMessage, ({ num }, { view }) => {
    const block = blockByNumber(view, num);
    return number(block === undefined ? -1n : BigInt(block.transactions.length));
  }),
  GetTransactionById: method(BytesMessage, ({ value }, { view }) => transactionById(view, value)),
  GetTransactionInfoById: method(BytesMessage, ({ value }, { view }) => transactionInfoById(view, value)),
  GetTransactionInfoByBlockNum: method(
    NumberMessage,
    ({ num }, { view }) => transactionInfosByNumber(view, num),
    'internal',
  ),
};

function isRange(start: bigint, end: bigint): boolean {
  return end > 0n && end > start && end - start <= BLOCKS_MAX;
}

/** Questions about witnesses, proposals, exchanges, markets, contracts and the node. */
export const chainQueries: GrpcMethods = {
  ListWitnesses: method(EmptyMessage, (_, { view }) => witnesses(view)),
  ListProposals: method(EmptyMessage, (_, { view }) => proposals(view)),
  GetPaginatedProposalList: method(PaginatedMessage, ({ offset, limit }, { view }) =>
    proposalPage(view, offset, limit),
  ),
  GetProposalById: method(BytesMessage, ({ value }, { view }) => proposal(view, keyOf(value))),
  ListExchanges: method(EmptyMessage, (_, { view }) => exchanges(view)),
  GetPaginatedExchangeList: method(PaginatedMessage, ({ offset, limit }, { view }) =>
    exchangePage(view, offset, limit),
  ),
  GetExchangeById: method(BytesMessage, ({ value }, { view }) => exchange(view, keyOf(value))),
  GetChainParameters: method(EmptyMessage, (_, { view }) => chainParameters(view)),
  GetNextMaintenanceTime: method(EmptyMessage, (_, { view }) =>
    number(view.state.properties.get('NEXT_MAINTENANCE_TIME')),
  ),
  GetBurnTrx: method(EmptyMessage, (_, { view }) => number(view.state.properties.get('BURN_TRX_AMOUNT'))),
  // The reference counts the rows of a store that it no longer fills.
  TotalTransaction: method(EmptyMessage, () => number(0n)),
  ListNodes: method(EmptyMessage, (_, { api }) => listNodes(api.peers)),
  GetMarketOrderById: method(BytesMessage, ({ value }, { view }) => marketOrder(view, value), 'internal'),
  GetMarketOrderByAccount: method(
    BytesMessage,
    ({ value }, { view }) => marketOrdersOfAccount(view, value),
    'internal',
  ),
  GetMarketPriceByPair: method(
    MarketOrderPair,
    ({ sellTokenId, buyTokenId }, { view }) => marketPrices(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketOrderListByPair: method(
    MarketOrderPair,
    ({ sellTokenId, buyTokenId }, { view }) => marketOrdersOfPair(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketPairList: method(EmptyMessage, (_, { view }) => marketPairs(view), 'internal'),
  GetContract: method(BytesMessage, ({ value }, { view }) => contract(view, value)),
  GetContractInfo: method(BytesMessage, ({ value }, { view }) => contractInfo(view, value)),
};

/** Questions about transactions that wait. */
export const waitingQueries: GrpcMethods = {
  GetTransactionFromPending: method(BytesMessage, ({ value }, { api }) => {
    if (value.length === 0) throw nullPointer();
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
  getBlockReference: method(EmptyMessage, (_, { view }) =>
    Object.assign(new BlockReference(), {
      blockNum: BigInt(view.headNumber),
      blockHash: view.blockIdAt(view.headNumber)!,
    }),
  ),
  GetDynamicProperties: method(EmptyMessage, (_, { view }) =>
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
