import t from 'tap';
import { fromInt64, toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import {
  headKey,
  mulDiv,
  orderIdOf,
  pairKey,
  priceKey,
  priceOfKey,
  pricesMatch,
} from '../../../../../src/state-transition/system-contracts/market/market-keys.js';
import { bytesOf } from '../../../../support/vm/state-with.js';

const [SELL, BUY] = [utf8('_'), utf8('1000001')];

t.test('encodes a pair as two names of 19 bytes', async (t) => {
  t.equal(pairKey(SELL, BUY), `5f${'00'.repeat(18)}31303030303031${'00'.repeat(12)}`);
  t.equal(
    pairKey(utf8('a'.repeat(20)), BUY),
    pairKey(utf8('a'.repeat(19)), BUY),
    'the second name overwrites the end of the first',
  );
  t.throws(() => pairKey(SELL, utf8('a'.repeat(20))), { name: 'ChainError' });
  t.throws(() => pairKey(utf8('a'.repeat(39)), BUY), { name: 'ChainError' });
});

t.test('equal prices have one key, which encodes the price in lowest terms', async (t) => {
  const key = priceKey(SELL, BUY, { sell: 6n, buy: 4n });
  t.equal(key, priceKey(SELL, BUY, { sell: 3n, buy: 2n }));
  t.equal(key, pairKey(SELL, BUY) + toHex(fromInt64(3n)) + toHex(fromInt64(2n)));
  t.same(priceOfKey(key), { sell: 3n, buy: 2n });
  t.same(priceOfKey(headKey(SELL, BUY)), { sell: 0n, buy: 0n });
});

t.test('matches if the taker offers the price of the maker', async (t) => {
  const maker = { sell: 10n, buy: 20n };
  t.ok(pricesMatch({ sell: 2n, buy: 1n }, maker));
  t.ok(pricesMatch({ sell: 3n, buy: 1n }, maker));
  t.notOk(pricesMatch({ sell: 19n, buy: 10n }, maker));
});

t.test('multiplies without overflow before the division', async (t) => {
  t.equal(mulDiv(2n ** 62n, 10n, 20n), 2n ** 61n);
  t.equal(mulDiv(7n, 1n, 2n), 3n);
});

t.test('derives order ids from owner, pair and count', async (t) => {
  const ids = [
    orderIdOf(bytesOf(1), SELL, BUY, 0n),
    orderIdOf(bytesOf(1), SELL, BUY, 1n),
    orderIdOf(bytesOf(1), BUY, SELL, 0n),
  ];
  t.equal(new Set(ids.map(toHex)).size, 3);
  // The id is the keccak256 hash of 75 bytes. Reference: MarketUtils.calculateOrderId.
  t.equal(ids[0]?.length, 32);
});
