import t from 'tap';
import { Account } from '../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { accounts } from '../../../../src/projections/accounts.js';
import { markets } from '../../../../src/projections/markets.js';
import { OverlaidState } from '../../../../src/projections/state/overlaid-state.js';
import type { StateReader } from '../../../../src/projections/state/state-reader.js';
import { type StoreName, storeId } from '../../../../src/projections/state/stores.js';
import { compareProjection, readProjection } from '../../../../src/projections/verify/compare-projection.js';

const EMPTY: StateReader = { get: () => undefined, range: () => [] };

type Row = readonly [store: StoreName, key: Uint8Array, value: Uint8Array];

function stateOf(rows: readonly Row[]): StateReader {
  const state = new OverlaidState(EMPTY);
  state.put(rows.map(([name, key, value]) => ({ store: storeId(name), key, value })));
  return state;
}

const ROWS: readonly Row[] = [
  ['account', utf8('a'), utf8('1')],
  ['account', utf8('c'), utf8('3')],
  ['account-asset', utf8('b'), utf8('2')],
];

const [FIRST, SECOND, THIRD] = ROWS as [Row, Row, Row];

const cases: readonly { name: string; rows: readonly Row[]; mismatch: readonly (string | null)[] }[] = [
  {
    name: 'a changed row',
    rows: [FIRST, ['account', utf8('c'), utf8('4')], THIRD],
    mismatch: ['account', 'c', '3', '4'],
  },
  { name: 'a missing row', rows: [FIRST, THIRD], mismatch: ['account', 'c', '3', null] },
  { name: 'an extra row', rows: [...ROWS, ['account', utf8('b'), utf8('2')]], mismatch: ['account', 'b', null, '2'] },
  { name: 'a row of the last store', rows: [FIRST, SECOND], mismatch: ['account-asset', 'b', '2', null] },
];

for (const { name, rows, mismatch } of cases) {
  t.test(`names the first row that differs: ${name}`, async (t) => {
    const { stored, rebuilt, firstMismatch } = compareProjection(accounts, stateOf(ROWS), stateOf(rows));
    const [store, key, ours, theirs] = mismatch.map((text, at) =>
      at === 0 || text === null ? text : toHex(utf8(text)),
    );
    t.same(firstMismatch, { store, key, stored: ours, rebuilt: theirs });
    t.same([stored.rows, rebuilt.rows], [ROWS.length, rows.length]);
    t.not(stored.digest, rebuilt.digest);
    t.same(readProjection(accounts, stateOf(rows)), rebuilt);
  });
}

t.test('ignores rows of other projections', async (t) => {
  const other = stateOf([...ROWS, ['code', utf8('x'), utf8('y')]]);
  const { stored, rebuilt, firstMismatch } = compareProjection(accounts, stateOf(ROWS), other);
  t.equal(firstMismatch, undefined);
  t.same(stored, rebuilt);
});

t.test('treats map entries in another order as the same row', async (t) => {
  const account = (...ids: readonly string[]): readonly Row[] => {
    const assetV2 = new Map(ids.map((id) => [id, 1n]));
    return [['account', utf8('a'), Account.encode(Object.assign(new Account(), { assetV2 }))]];
  };
  const [one, other] = [account('1000001', '1000002'), account('1000002', '1000001')];
  t.not(toHex(one[0]![2]), toHex(other[0]![2]));
  const { stored, rebuilt, firstMismatch } = compareProjection(accounts, stateOf(one), stateOf(other));
  t.equal(firstMismatch, undefined);
  t.equal(stored.digest, rebuilt.digest);
});

t.test('compares price rows in the order of their prices', async (t) => {
  const price = (sell: bigint, buy: bigint): Row => {
    const key = Buffer.alloc(54, 0x31);
    key.writeBigInt64BE(sell, 38);
    key.writeBigInt64BE(buy, 46);
    return ['market_pair_price_to_order', key, utf8('order')];
  };
  const rows = [price(1n, 9n), price(3n, 1n), price(2n, 1n)];
  const { firstMismatch, stored } = compareProjection(markets, stateOf(rows), stateOf(rows.slice(0, 2)));
  t.equal(stored.rows, 3);
  t.equal(firstMismatch?.key, toHex(rows[2]![1]));
});
