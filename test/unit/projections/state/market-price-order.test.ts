import t from 'tap';
import { compareBytes } from '../../../../src/primitives/bytes.js';
import {
  compareMarketPriceKeys,
  fromPriceOrderedKey,
  toPriceOrderedKey,
} from '../../../../src/projections/state/market-price-order.js';
import { seeded } from '../../../support/projections/chain.js';

const MAX = 2n ** 63n - 1n;

function priceKey(sell: bigint, buy: bigint, pair = 0x31): Buffer {
  const key = Buffer.alloc(54, 0);
  key[0] = pair;
  key.writeBigInt64BE(sell, 38);
  key.writeBigInt64BE(buy, 46);
  return key;
}

t.test('orders prices by buy over sell quantity, with the head of the pair first', async (t) => {
  const keys = [
    priceKey(0n, 0n),
    priceKey(MAX, 1n),
    priceKey(MAX, MAX - 1n),
    priceKey(1n, 1n),
    priceKey(MAX - 1n, MAX),
    priceKey(3n, 10n),
    priceKey(1n, 4n),
    priceKey(1n, MAX),
    priceKey(0n, 0n, 0x32),
  ];
  for (const [i, a] of keys.entries()) {
    for (const [j, b] of keys.entries())
      t.equal(Math.sign(compareMarketPriceKeys(a, b)), Math.sign(i - j), `${i} ${j}`);
  }
});

t.test('stores keys in LMDB in the same order, and decodes a key from the stored bytes', async (t) => {
  const random = seeded(5);
  const quantity = (): bigint => {
    const kind = random(4);
    if (kind === 0) return MAX - BigInt(random(3));
    if (kind === 1) return BigInt(random(4));
    return BigInt(random(2 ** 31)) * BigInt(random(2 ** 31)) + 1n;
  };
  const keys = Array.from({ length: 250 }, () => priceKey(quantity(), quantity(), 0x31 + random(2)));
  for (const a of keys) {
    t.same(fromPriceOrderedKey(toPriceOrderedKey(a)), a);
    for (const b of keys) {
      const order = compareMarketPriceKeys(a, b);
      if (order !== 0 && Math.sign(compareBytes(toPriceOrderedKey(a), toPriceOrderedKey(b))) !== Math.sign(order)) {
        t.fail(`${a.toString('hex')} ${b.toString('hex')}`);
      }
    }
  }
});
