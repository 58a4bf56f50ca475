import t from 'tap';
import { toHex } from '../../../../../src/primitives/bytes.js';
import { marketCancelOrder } from '../../../../../src/state-transition/system-contracts/market/market-cancel-order.js';
import { priceKey } from '../../../../../src/state-transition/system-contracts/market/market-keys.js';
import { MAKER, market, offer, TAKER, TOKEN, TRX } from '../../../../support/vm/market-chain.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

t.test('rejects a cancellation with the text of the first broken rule', async (t) => {
  const id = offer(market(), 10n, 20n);
  const fresh = () => {
    const state = market();
    offer(state, 10n, 20n);
    return state;
  };
  const accepted = { ownerAddress: bytesOf(MAKER), orderId: id };
  refusalsOf(t, marketCancelOrder, {
    fresh,
    accepted,
    rows: [
      {
        text: 'Not support Market Transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('ALLOW_MARKET_TRANSACTION', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Account does not exist!', fields: { ownerAddress: bytesOf(9) } },
      { text: 'orderId not exists', fields: { orderId: new Uint8Array(32) } },
      { text: 'Order is not active!', given: (state) => void run(marketCancelOrder, state, accepted) },
      { text: 'Order does not belong to the account!', fields: { ownerAddress: bytesOf(TAKER) } },
      { text: 'No enough balance !', given: ({ properties }) => properties.set('MARKET_CANCEL_FEE', 1n) },
    ],
  });
});

t.test('removes a cancelled order from its price, and the last price from its pair', async (t) => {
  const state = market();
  const ids = [offer(state, 10n, 20n), offer(state, 20n, 40n), offer(state, 30n, 60n)];
  const at = (place: number) => ids[place] ?? new Uint8Array(0);
  const key = priceKey(TOKEN, TRX, { sell: 10n, buy: 20n });
  const cancel = (orderId: Uint8Array) => run(marketCancelOrder, state, { ownerAddress: bytesOf(MAKER), orderId });
  cancel(at(1));
  t.equal(toHex(state.marketOrders.get(toHex(at(0)))?.next ?? TRX), toHex(at(2)));
  t.equal(toHex(state.marketOrders.get(toHex(at(2)))?.prev ?? TRX), toHex(at(0)));
  cancel(at(0));
  t.equal(toHex(state.marketPriceToOrders.get(key)?.head ?? TRX), toHex(at(2)));
  cancel(at(2));
  t.notOk(state.marketPriceToOrders.has(key));
  t.notOk(state.marketPairs.has(key.slice(0, 76)));
  t.equal(state.account(addressOf(MAKER))?.assetV2.get('1000001'), 1_000_000n);
  t.equal(state.marketAccounts.get(addressOf(MAKER))?.count, 0n);
});
