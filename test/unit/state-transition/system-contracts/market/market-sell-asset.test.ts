import t from 'tap';
import { MarketAccountOrder } from '../../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { marketSellAsset } from '../../../../../src/state-transition/system-contracts/market/market-sell-asset.js';
import { MAKER, market, TOKEN, TRX } from '../../../../support/vm/market-chain.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, run } from '../../../../support/vm/state-with.js';

const LIMIT = 1_000_000_000_000_000n;
const accepted = {
  ownerAddress: bytesOf(MAKER),
  sellTokenId: TOKEN,
  buyTokenId: TRX,
  sellTokenQuantity: 1_000_000n,
  buyTokenQuantity: LIMIT,
};

t.test('rejects an order with the text of the first broken rule', async (t) => {
  const sellsTrx = { sellTokenId: TRX, buyTokenId: TOKEN };
  refusalsOf(t, marketSellAsset, {
    fresh: market,
    accepted,
    rows: [
      {
        text: 'Not support Market Transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('ALLOW_MARKET_TRANSACTION', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Account does not exist!', fields: { ownerAddress: bytesOf(9) } },
      { text: 'sellTokenId is not a valid number', fields: { sellTokenId: utf8('Coin') } },
      { text: 'buyTokenId is not a valid number', fields: { buyTokenId: utf8('') } },
      { text: 'cannot exchange same tokens', fields: { buyTokenId: TOKEN } },
      { text: 'token quantity must greater than zero', fields: { sellTokenQuantity: 0n } },
      { text: 'token quantity must greater than zero', fields: { buyTokenQuantity: -1n } },
      { text: `token quantity must less than ${LIMIT}`, fields: { buyTokenQuantity: LIMIT + 1n } },
      {
        text: 'Maximum number of orders exceeded，100',
        given: (state) =>
          state.marketAccounts.put(addressOf(MAKER), Object.assign(new MarketAccountOrder(), { count: 100n })),
      },
      { text: 'No enough balance !', given: ({ properties }) => properties.set('MARKET_SELL_FEE', 1n) },
      { text: 'No enough balance !', fields: { ...sellsTrx, sellTokenQuantity: 1n } },
      { text: 'No sellTokenId !', fields: { sellTokenId: utf8('1000002') } },
      { text: 'SellToken balance is not enough !', fields: { sellTokenQuantity: 1_000_001n } },
      { text: 'No buyTokenId !', fields: { buyTokenId: utf8('1000002') } },
      {
        text: 'long overflow',
        fields: { ...sellsTrx, sellTokenQuantity: 1n },
        given: ({ properties }) => properties.set('MARKET_SELL_FEE', 2n ** 63n - 1n),
      },
    ],
  });
});

t.test('charges an order for its amount and fee and stores it as newest of the account', async (t) => {
  const state = market();
  state.properties.set('MARKET_SELL_FEE', 3n);
  addAccount(state, MAKER, 10n, { 1000001: 1_000_000n });
  const { orderId } = run(marketSellAsset, state, accepted);
  const order = state.marketOrders.get(toHex(orderId));
  t.same([order?.sellTokenQuantity, order?.sellTokenQuantityRemain], [1_000_000n, 1_000_000n]);
  const account = state.account(addressOf(MAKER));
  t.same([account?.balance, account?.assetV2.get('1000001'), state.account(BLACKHOLE)?.balance], [7n, 0n, 3n]);
  const book = state.marketAccounts.get(addressOf(MAKER));
  t.same([book?.count, book?.totalCount, book?.orders], [1n, 1n, [orderId]]);
});
