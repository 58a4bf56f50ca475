import t from 'tap';
import { MarketOrderState } from '../../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../../src/primitives/bytes.js';
import { priceKey } from '../../../../../src/state-transition/system-contracts/market/market-keys.js';
import { marketSellAsset } from '../../../../../src/state-transition/system-contracts/market/market-sell-asset.js';
import { bid, MAKER, market, offer, TAKER, TOKEN, TRX } from '../../../../support/vm/market-chain.js';
import { addAccount, addressOf, refusal, run } from '../../../../support/vm/state-with.js';

interface Match {
  readonly name: string;
  readonly maker: readonly [sell: bigint, buy: bigint];
  readonly taker: readonly [sell: bigint, buy: bigint];
  /** Exchanged amounts of TRX and token; undefined if no order was filled. */
  readonly fill: readonly [trx: bigint, token: bigint] | undefined;
  readonly takerLeft: bigint;
  readonly makerLeft: bigint;
}

const matches: readonly Match[] = [
  { name: 'both filled', maker: [100n, 50n], taker: [50n, 100n], fill: [50n, 100n], takerLeft: 0n, makerLeft: 0n },
  { name: 'maker in part', maker: [100n, 50n], taker: [20n, 40n], fill: [20n, 40n], takerLeft: 0n, makerLeft: 60n },
  { name: 'taker in part', maker: [100n, 50n], taker: [80n, 100n], fill: [50n, 100n], takerLeft: 30n, makerLeft: 0n },
  {
    name: 'at the price of the maker',
    maker: [100n, 50n],
    taker: [10n, 10n],
    fill: [10n, 20n],
    takerLeft: 0n,
    makerLeft: 80n,
  },
  {
    name: 'an amount that is rounded down',
    maker: [100n, 70n],
    taker: [10n, 14n],
    fill: [10n, 14n],
    takerLeft: 0n,
    makerLeft: 86n,
  },
  {
    name: 'prices that do not match',
    maker: [10n, 100n],
    taker: [5n, 2n],
    fill: undefined,
    takerLeft: 5n,
    makerLeft: 10n,
  },
];

t.test("fills orders at the maker's price, rounded down", async (t) => {
  for (const c of matches) {
    const state = market();
    const makerId = offer(state, ...c.maker);
    const result = run(marketSellAsset, state, bid(TAKER, ...c.taker));
    const [detail] = result.orderDetails;
    t.same(detail && [detail.fillSellQuantity, detail.fillBuyQuantity], c.fill, c.name);
    t.equal(state.marketOrders.get(toHex(result.orderId))?.sellTokenQuantityRemain, c.takerLeft, c.name);
    t.equal(state.marketOrders.get(toHex(makerId))?.sellTokenQuantityRemain, c.makerLeft, c.name);
  }
});

t.test('returns the rest and closes the order if it buys nothing at the next price', async (t) => {
  const state = market();
  offer(state, 1n, 10n);
  const next = offer(state, 1n, 10n);
  const { orderId } = run(marketSellAsset, state, bid(TAKER, 15n, 1n));
  const order = state.marketOrders.get(toHex(orderId));
  t.same([order?.state, order?.sellTokenQuantityReturn], [MarketOrderState.INACTIVE, 5n]);
  t.equal(state.account(addressOf(TAKER))?.balance, 999_990n);
  t.equal(state.marketOrders.get(toHex(next))?.sellTokenQuantityRemain, 1n);
});

t.test('matches the lowest price first, then the oldest order', async (t) => {
  const state = market();
  const expensive = offer(state, 10n, 30n);
  const first = offer(state, 10n, 20n);
  const second = offer(state, 30n, 60n);
  const result = run(marketSellAsset, state, bid(TAKER, 95n, 1n));
  t.same(
    result.orderDetails.map(({ makerOrderId }) => toHex(makerOrderId)),
    [first, second, expensive].map(toHex),
  );
  t.equal(state.marketPairs.get(priceKey(TOKEN, TRX, { sell: 1n, buy: 2n }).slice(0, 76)), 1n);
});

t.test('drops payments of an account to its own order, like java-tron', async (t) => {
  const state = market();
  addAccount(state, MAKER, 1000n, { 1000001: 500n });
  offer(state, 100n, 50n);
  run(marketSellAsset, state, bid(MAKER, 50n, 100n));
  t.equal(state.account(addressOf(MAKER))?.balance, 950n);
  t.equal(state.account(addressOf(MAKER))?.assetV2.get('1000001'), 500n);
});

// Found by a random chain on java-tron 4.7.2 and this node: the rest of an order is returned to its owner, and the same
// owner's new order then overwrites the account.
t.test('drops the returned rest of an order if its owner placed the new order', async (t) => {
  for (const [owner, tokens] of [
    [TAKER, 502n],
    [MAKER, 500n],
  ] as const) {
    const state = market();
    addAccount(state, MAKER, 1000n, { 1000001: 517n });
    const makerId = offer(state, 17n, 1n);
    const order = state.marketOrders.existingToWrite(toHex(makerId));
    order.sellTokenQuantityRemain = 2n;
    const result = run(marketSellAsset, state, bid(owner, 10n, 1n));
    t.same(result.orderDetails, [], 'no order was filled');
    t.equal(state.marketOrders.get(toHex(makerId))?.sellTokenQuantityReturn, 2n);
    t.equal(state.account(addressOf(MAKER))?.assetV2.get('1000001'), tokens);
  }
});

t.test('fails after more than 20 matches', async (t) => {
  const state = market();
  for (let i = 0; i < 21; i++) offer(state, 1n, 1n);
  t.equal(refusal(marketSellAsset, state, bid(TAKER, 20n, 20n)), undefined);
  for (let i = 0; i < 20; i++) offer(state, 1n, 1n);
  t.same(refusal(marketSellAsset, state, bid(TAKER, 21n, 21n)), {
    exception: 'ContractExeException',
    text: 'Too many matches. MAX_MATCH_NUM = 20',
  });
});
