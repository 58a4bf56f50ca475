import type { Test } from 'tap';
import { toHex } from '../../../src/primitives/bytes.js';
import { compareMarketPriceKeys } from '../../../src/projections/state/market-price-order.js';
import type { StateReader } from '../../../src/projections/state/state-reader.js';
import { type StoreId, storeId } from '../../../src/projections/state/stores.js';
import { type Model, modelKey, randomKey, readModel, testStores } from './chain.js';

type Random = (below: number) => number;

interface RequestedRange {
  readonly prefix: Uint8Array;
  readonly from?: Uint8Array;
  readonly reverse: boolean;
  readonly limit: number;
}

/**
 * Checks that a view of the state contains exactly the rows of a model: reads single keys and ranges. The ranges have
 * different prefixes, starts, directions, numbers of rows and orders (by bytes or by price). The first mismatch fails
 * the test.
 * @returns true if all rows match
 */
export function agreesWithModel(
  t: Test,
  view: StateReader,
  model: Model,
  { random, name }: { random: Random; name: string },
): boolean {
  const rows = readModel(view);
  if (!isSame(rows, model)) return t.strictSame(rows, model, name);
  for (let i = 0; i < 6; i++) {
    const store = testStores[random(testStores.length)] as StoreId;
    const key = randomKey(random, store);
    const value = view.get(store, key);
    if ((value && toHex(value)) !== model.get(modelKey(store, key))) return t.fail(`${name}: a single row`);
    const range = randomRange(random, store, key);
    const found = [...view.range(store, range)].map((row) => `${toHex(row.key)}=${toHex(row.value)}`);
    const expected = expectedRange(model, store, range);
    if (found.join() !== expected.join()) return t.strictSame(found, expected, `${name}: ${JSON.stringify(range)}`);
  }
  return true;
}

function randomRange(random: Random, store: StoreId, key: Uint8Array): RequestedRange {
  const range = {
    prefix: key.subarray(0, random(3) * 19),
    reverse: random(2) === 1,
    limit: random(4) === 0 ? 2 : 1000,
  };
  return random(2) === 0 ? range : { ...range, from: randomKey(random, store) };
}

function isSame(a: Model, b: Model): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function expectedRange(model: Model, store: StoreId, { prefix, from, reverse, limit }: RequestedRange): string[] {
  const isMarket = store === storeId('market_pair_price_to_order');
  const order = (a: Buffer, b: Buffer): number =>
    (isMarket ? compareMarketPriceKeys(a, b) || Buffer.compare(a, b) : Buffer.compare(a, b)) * (reverse ? -1 : 1);
  return [...model]
    .filter(([name]) => name.startsWith(`${store}:`))
    .map(([name, value]) => ({ key: Buffer.from(name.slice(name.indexOf(':') + 1), 'hex'), value }))
    .filter(({ key }) => key.subarray(0, prefix.length).equals(prefix))
    .filter(({ key }) => from === undefined || order(key, Buffer.from(from)) >= 0)
    .sort((a, b) => order(a.key, b.key))
    .slice(0, limit)
    .map(({ key, value }) => `${key.toString('hex')}=${value}`);
}
