import { toUtf8 } from '../../../primitives/bytes.js';
import { javaError } from '../../../state-transition/java-errors.js';
import type { assetEndpoints } from '../../endpoints/asset-endpoints.js';
import { assetById, assetByName, assetPage, assets, assetsOfAccount, assetsOfName } from '../../operations/assets.js';
import {
  marketOrder,
  marketOrdersOfAccount,
  marketOrdersOfPair,
  marketPairs,
  marketPrices,
} from '../../operations/market.js';
import { cachedGrpcMethod, type MethodsOf } from '../grpc-method.js';

/** gRPC methods for TRC10 assets and market orders. */
export const assetMethods: MethodsOf<typeof assetEndpoints> = {
  GetAssetIssueList: cachedGrpcMethod((_, view) => assets(view)),
  GetPaginatedAssetIssueList: cachedGrpcMethod(({ offset, limit }, view) => assetPage(view, offset, limit)),
  GetAssetIssueByAccount: cachedGrpcMethod(({ address }, view) => assetsOfAccount(view, address)),
  GetAssetIssueById: cachedGrpcMethod(({ value }, view) => assetById(view, toUtf8(value)), 'thrown'),
  GetAssetIssueByName: cachedGrpcMethod(({ value }, view) => assetOrNone(() => assetByName(view, value))),
  GetAssetIssueListByName: cachedGrpcMethod(({ value }, view) => assetsOfName(view, value)),
  GetMarketOrderById: cachedGrpcMethod(({ value }, view) => marketOrder(view, value), 'internal'),
  GetMarketOrderByAccount: cachedGrpcMethod(({ value }, view) => marketOrdersOfAccount(view, value), 'internal'),
  GetMarketOrderListByPair: cachedGrpcMethod(
    ({ sellTokenId, buyTokenId }, view) => marketOrdersOfPair(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketPriceByPair: cachedGrpcMethod(
    ({ sellTokenId, buyTokenId }, view) => marketPrices(view, sellTokenId, buyTokenId),
    'internal',
  ),
  GetMarketPairList: cachedGrpcMethod((_, view) => marketPairs(view), 'internal'),
};

/** Returns the asset; undefined if the lookup fails because several assets have the same name. */
function assetOrNone<T>(find: () => T | undefined): T | undefined {
  try {
    return find();
  } catch (error) {
    if (javaError(error) === undefined) throw error;
    return undefined;
  }
}
