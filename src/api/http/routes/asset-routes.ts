import { Account, BytesMessage, MarketOrderPair, PaginatedMessage } from '../../../codec/generated/messages.js';
import { textOf } from '../../../encoding/json/json-casts.js';
import { bytesOfHex } from '../../../java-compat/hex.js';
import { parseLong } from '../../../java-compat/number.js';
import { javaTrim } from '../../../java-compat/text.js';
import type { assetEndpoints } from '../../endpoints/asset-endpoints.js';
import { assetById, assetByName, assetPage, assets, assetsOfAccount, assetsOfName } from '../../operations/assets.js';
import {
  marketOrder,
  marketOrdersOfAccount,
  marketOrdersOfPair,
  marketPairs,
  marketPrices,
} from '../../operations/market.js';
import { addressOrHex, addressParameter, nameOrHex } from '../get-arguments.js';
import type { HttpCall } from '../http-call.js';
import { both, type HandlersOf, type Posted, parsedBody, plain, readPosted, visibleOf } from '../route.js';

/** Functions that read the offset and limit of a page. */
export const pageArguments = {
  get: (call: HttpCall) => ({ offset: parseLong(call.parameter('offset')), limit: parseLong(call.parameter('limit')) }),
  post: (call: HttpCall, body: Posted): { offset: bigint; limit: bigint } => readPosted(call, body, PaginatedMessage),
};

const nameArguments = {
  get: (call: HttpCall, visible: boolean) => nameOrHex(call.parameter('value'), visible),
  post: (_call: HttpCall, body: Posted) => nameOrHex(textOf(parsedBody(body), 'value'), body.visible),
};

const pairArguments = {
  get: (call: HttpCall, visible: boolean) => {
    const sell = nameOrHex(call.parameter('sell_token_id'), visible);
    return { sell, buy: nameOrHex(call.parameter('buy_token_id'), visible) };
  },
  post: (call: HttpCall, body: Posted) => {
    const { sellTokenId, buyTokenId } = readPosted(call, body, MarketOrderPair);
    return { sell: sellTokenId, buy: buyTokenId };
  },
};

/** HTTP handlers for TRC10 assets and market orders. */
export const assetHandlers: HandlersOf<typeof assetEndpoints> = {
  GetAssetIssueList: plain((call, visible) => call.showMessage(assets(call.view), visible)),
  GetPaginatedAssetIssueList: both({
    ...pageArguments,
    run: (call, { offset, limit }, visible) => call.showMessage(assetPage(call.view, offset, limit), visible),
  }),
  GetAssetIssueByAccount: both({
    get: (call, visible) => addressParameter(call, 'address', visible),
    post: (call, body) => readPosted(call, body, Account).address,
    run: (call, address, visible) => call.showMessage(assetsOfAccount(call.view, address), visible),
  }),
  GetAssetIssueById: both({
    get: (call) => call.parameter('value'),
    post: (_call, body) => textOf(parsedBody(body), 'value'),
    run: (call, id, visible) => call.showMessage(assetById(call.view, id), visible),
  }),
  GetAssetIssueByName: both({
    ...nameArguments,
    run: (call, name, visible) => call.showMessage(assetByName(call.view, name), visible),
  }),
  GetAssetIssueListByName: both({
    ...nameArguments,
    run: (call, name, visible) => call.showMessage(assetsOfName(call.view, name), visible),
  }),
  GetMarketOrderById: both({
    get: (call) => bytesOfHex(call.parameter('value')),
    post: (call, body) => readPosted(call, body, BytesMessage).value,
    run: (call, id, visible) => call.showMessage(marketOrder(call.view, id), visible),
  }),
  GetMarketOrderByAccount: both({
    get: (call, visible) => addressParameter(call, 'value', visible),
    post: (call, body) => addressOrHex(call, textOf(parsedBody(body), 'value'), body.visible),
    run: (call, address, visible) => call.showMessage(marketOrdersOfAccount(call.view, address), visible),
  }),
  GetMarketOrderListByPair: both({
    ...pairArguments,
    run: (call, { sell, buy }, visible) => call.showMessage(marketOrdersOfPair(call.view, sell, buy), visible),
  }),
  GetMarketPriceByPair: both({
    ...pairArguments,
    run: (call, { sell, buy }, visible) => call.showMessage(marketPrices(call.view, sell, buy), visible),
  }),
  GetMarketPairList: {
    get: (call) => call.showMessage(marketPairs(call.view), call.visible),
    post: (call) => {
      const visible = visibleOf(javaTrim(call.body()), call.json);
      return call.showMessage(marketPairs(call.view), visible);
    },
  },
};
