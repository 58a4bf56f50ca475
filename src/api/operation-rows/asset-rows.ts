import { serverNames } from '../servers.js';
import type { OperationRow } from './operation-row.js';

/** TRC10 and the market of their orders. */
export const assetRows = {
  GetAssetIssueList: { name: 'getassetissuelist', servers: serverNames, reads: {}, prints: 'AssetIssueList' },
  GetPaginatedAssetIssueList: {
    name: 'getpaginatedassetissuelist',
    servers: serverNames,
    reads: { offset: 'int64', limit: 'int64' },
    prints: 'AssetIssueList',
  },
  GetAssetIssueByAccount: {
    name: 'getassetissuebyaccount',
    servers: ['fullnode'],
    reads: { address: 'address!' },
    prints: 'AssetIssueList',
  },
  GetAssetIssueById: {
    name: 'getassetissuebyid',
    servers: serverNames,
    reads: { value: 'text!' },
    prints: 'AssetIssueContract',
  },
  GetAssetIssueByName: {
    name: 'getassetissuebyname',
    servers: serverNames,
    reads: { value: 'text!' },
    prints: 'AssetIssueContract',
  },
  GetAssetIssueListByName: {
    name: 'getassetissuelistbyname',
    servers: serverNames,
    reads: { value: 'text!' },
    prints: 'AssetIssueList',
  },
  GetMarketOrderById: {
    name: 'getmarketorderbyid',
    servers: serverNames,
    ignoresForms: true,
    reads: { value: 'bytes' },
    prints: 'MarketOrder',
  },
  GetMarketOrderByAccount: {
    name: 'getmarketorderbyaccount',
    servers: serverNames,
    reads: { value: 'address!' },
    prints: 'MarketOrderList',
  },
  GetMarketOrderListByPair: {
    name: 'getmarketorderlistbypair',
    servers: serverNames,
    ignoresForms: true,
    reads: { sell_token_id: 'bytes', buy_token_id: 'bytes' },
    prints: 'MarketOrderList',
  },
  GetMarketPriceByPair: {
    name: 'getmarketpricebypair',
    servers: serverNames,
    ignoresForms: true,
    reads: { sell_token_id: 'bytes', buy_token_id: 'bytes' },
    prints: 'MarketPriceList',
  },
  GetMarketPairList: { name: 'getmarketpairlist', servers: serverNames, reads: {}, prints: 'MarketOrderPairList' },
} as const satisfies Readonly<Record<string, OperationRow>>;
