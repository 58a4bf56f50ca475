import assert from 'node:assert/strict';
import { join } from 'node:path';
import { allRows } from '../../src/node/test-driver/changed-rows.js';
import { toHex } from '../../src/primitives/bytes.js';
import { type StoreName, storeId, storeName } from '../../src/projections/state/stores.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import type { Rows } from '../conformance/compare-rows.js';
import { readLines } from '../conformance/recording.js';
import { openRecorded, toRows } from '../conformance/replay-session.js';
import { golden } from '../support/tronicle.js';
import type { Measurement } from './run.js';

interface Line {
  readonly num: number;
  readonly block?: string;
}

/**
 * Checks the state at every height. Reads every row that ever existed, also at heights at which it does not exist,
 * and prefixes of keys. Then reverts block by block, compares all rows, and applies the blocks again. The expected
 * rows are those of the import by this node, which the replay tests compare with recordings of java-tron.
 */
export const history: Measurement = {
  title: 'reverts the state to every height down to genesis and up again',
  gate: 250,
  night: 1392,
  async run({ count, folder }) {
    const chain = await openRecorded(join(golden, 'system-tour'), folder);
    const at: Map<string, string>[] = [flatten(allRows(chain.ledger))];
    const blocks: string[] = [];
    for await (const { num, block } of readLines<Line>(join(golden, 'system-tour', 'blocks.ndjson.gz'))) {
      if (block === undefined || num > count) continue;
      chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
      blocks.push(block);
      at.push(applied(at[num - 1]!, toRows(chain.ledger.changes(chain.ledger.block(num)!.seq)!.rows)));
    }
    await chain.ledger.flush();
    const names = new Set(at.flatMap((rows) => [...rows.keys()]));
    let queries = 0;
    for (let height = 0; height < at.length; height++) {
      const view = chain.ledger.at(height);
      for (const name of names) {
        const [store, key] = name.split('/') as [StoreName, string];
        const value = view.get(storeId(store), Buffer.from(key, 'hex'));
        assert.equal(value === undefined ? undefined : toHex(value), at[height]!.get(name), `${name} at ${height}`);
        queries++;
      }
      comparePrefixes(view, at[height]!);
    }
    for (let height = at.length - 2; height >= 0; height--) {
      chain.rollback(height);
      assert.deepEqual(flatten(allRows(chain.ledger)), at[height], `down at ${height}`);
    }
    for (const block of blocks) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
    assert.deepEqual(flatten(allRows(chain.ledger)), at.at(-1), 'up again');
    await chain.ledger.close();
    return `${queries} rows read at ${at.length} heights, all equal`;
  },
};

function comparePrefixes(
  view: ReturnType<Awaited<ReturnType<typeof openRecorded>>['ledger']['at']>,
  rows: Map<string, string>,
): void {
  for (const store of ['account', 'delegation', 'DelegatedResourceAccountIndex'] as const) {
    const byPrefix = new Map<string, string[]>();
    for (const name of rows.keys()) {
      if (!name.startsWith(`${store}/`)) continue;
      const key = name.slice(store.length + 1);
      const prefix = key.slice(0, 4);
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), key]);
    }
    for (const [prefix, keys] of byPrefix) {
      const found = [...view.range(storeId(store), { prefix: Buffer.from(prefix, 'hex') })].map(({ key }) =>
        toHex(key),
      );
      assert.deepEqual(found, keys.sort(), `${storeName(storeId(store))} ${prefix}`);
    }
  }
}

function flatten(rows: Rows): Map<string, string> {
  return new Map(
    Object.entries(rows).flatMap(([store, of]) =>
      Object.entries(of).map(([key, value]) => [`${store}/${key}`, value!] as const),
    ),
  );
}

function applied(before: Map<string, string>, diff: Rows): Map<string, string> {
  const rows = new Map(before);
  for (const [store, of] of Object.entries(diff)) {
    for (const [key, value] of Object.entries(of)) {
      if (value === null) rows.delete(`${store}/${key}`);
      else rows.set(`${store}/${key}`, value);
    }
  }
  return rows;
}
