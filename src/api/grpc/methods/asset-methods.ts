import { toUtf8 } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { assetRows } from '../../endpoints/asset-endpoints.js';
import { assetById, assetByName, assetPage, assets, assetsOfAccount, assetsOfName } from '../../operations/assets.js';
import {
  marketOrder,
  marketOrdersOfAccount,
  marketOrdersOfPair,
  marketPairs,
  marketPrices,
} from '../../operations/market.js';
import { type MethodsOf, question } from '../grpc-method.js';

/** TRC10 and the market of their orders. */
export const assetMethods: MethodsOf<typeof assetRows> = {
  GetAssetIssueList: question((_, view) => assets(view)),
  GetPaginatedAssetIssueList: question(({ offset, limit }, view) => assetPage(view, offset, limit)),
  GetAssetIssueByAccount: question(({ address }, view) => assetsOfAccount(view, address)),
  GetAssetIssueById: question(({ value }, view) => assetById(view, toUtf8(value)), 'thrown'),
  GetAssetIssueByName: question(({ value }, view) => assetOrNone(() => assetByName(view, value))),
  GetAssetIssueListByName: question(({ value }, view) => assetsOfName(view, value)),
  GetMarketOrderById: question(({ value }, view) => marketOrder(view, value), 'internal'),
  GetMarketOrderByAccount: question(({ value }, view) => marketOrdersOfAccount(view, value), 'internal'),
  GetMarketOrderListByPair: question(
    ({ sellTokenId, buyTokenId }, view) => marketOrdersOfPair(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketPriceByPair: question(
    ({ sellTokenId, buyTokenId }, view) => marketPrices(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketPairList: question((_, view) => marketPairs(view), 'internal'),
};

/** A name that several assets bear finds none. */
function assetOrNone<T>(find: () => T | undefined): T | undefined {
  try {
    return find();
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return undefined;
  }
}
