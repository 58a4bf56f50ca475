import t from 'tap';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { type KeyedChange, normaliseChanges } from '../../../../src/projections/state/change-set.js';
import { changesByProjection, foldChanges, type PendingRow, startsOf } from '../../../../src/projections/state/fold.js';
import { SortedRows } from '../../../../src/projections/state/sorted-rows.js';
import { type StoreName, storeId } from '../../../../src/projections/state/stores.js';

t.test('splits the changes of a block by the owners of the rows', async (t) => {
  const changes = changesOf(
    ['account', 'k1', undefined, 'a'],
    ['code', 'k2', undefined, 'b'],
    ['accountTrie', 'k3', undefined, 'c'],
  );
  const parts = changesByProjection(changes).map(({ projection, changes }) => [
    projection.name,
    changes.map(({ store }) => store),
  ]);
  t.same(parts, [
    ['accounts', [storeId('account'), storeId('accountTrie')]],
    ['contracts', [storeId('code')]],
  ]);
});

t.test('folds a new value, a newer value and a deletion into the rows of a projection', async (t) => {
  const rows = new SortedRows<PendingRow>();
  const grown = [
    changesOf(['code', 'k', 'old', 'new'], ['code', 'gone', 'x', undefined]),
    changesOf(['code', 'k', 'new', 'newest']),
  ].map((changes) => {
    const [part] = changesByProjection(changes);
    return part === undefined ? 0 : foldChanges(rows, part, startsOf(rows, part));
  });
  t.same(
    [...rows.entries()].map(([, { before, after }]) => [textOf(before), textOf(after)]),
    [
      ['x', undefined],
      ['old', 'newest'],
    ],
  );
  t.same(grown, ['new'.length + '.k'.length + 'old'.length + '.gone'.length + 'x'.length, 'newest'.length]);
});

t.test('rejects a change that starts from another value than the row has', async (t) => {
  t.plan(1);
  const rows = new SortedRows<PendingRow>();
  for (const part of changesByProjection(changesOf(['code', 'k', undefined, 'new'])))
    foldChanges(rows, part, startsOf(rows, part));
  for (const part of changesByProjection(changesOf(['code', 'k', 'other', 'newest'])))
    t.throws(() => startsOf(rows, part), { code: 'CHANGES_MISMATCH', message: /store code/ });
});

type Row = readonly [store: StoreName, key: string, before: string | undefined, after: string | undefined];

function changesOf(...rows: readonly Row[]): KeyedChange[] {
  return normaliseChanges(
    rows.map(([store, key, before, after]) => ({
      store: storeId(store),
      key: utf8(key),
      before: before === undefined ? undefined : utf8(before),
      after: after === undefined ? undefined : utf8(after),
    })),
  );
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString();
}
