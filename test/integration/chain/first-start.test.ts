import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Chain } from '../../../src/chain/chain.js';
import { runFirstStart } from '../../../src/chain/first-start.js';
import { fromHex, toHex, utf8 } from '../../../src/primitives/bytes.js';
import { storeId } from '../../../src/projections/state/stores.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { blocksOf } from '../../support/node/recorded-blocks.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

const folder = join(golden, 'stake');
const blocks = blocksOf(folder).slice(0, 6);
const MARK = utf8('TURKISH_KEY_MIGRATION_DONE');
const markOf = ({ ledger }: Chain): string | undefined => {
  const row = ledger.head.get(storeId('properties'), MARK);
  return row && toHex(row);
};

async function open(t: Test, dataDir: string, release: string): Promise<Chain> {
  const chain = await openRecorded(folder, dataDir, release);
  t.teardown(() => chain.ledger.close());
  return chain;
}

t.test('stores the mark of the migration once, with the first block that release 4.8.2 imports', async (t: Test) => {
  const dataDir = temporaryFolder(t);
  const before = await open(t, dataDir, '4.7.2');
  for (const block of blocks.slice(0, 3)) before.importBlock(block);
  t.equal(markOf(before), undefined);
  await before.ledger.close();

  const after = await open(t, dataDir, '4.8.2');
  t.equal(markOf(after), undefined, 'the mark is not stored before the next block');
  after.importBlock(blocks[3]!);
  t.equal(markOf(after), '0000000000000001');
  const marked = (seq: number): boolean =>
    after.ledger.changes(seq)!.rows.some(({ key }) => toHex(key) === toHex(MARK));
  const { seq } = after.ledger.position;
  after.importBlock(blocks[4]!);
  t.same([marked(seq), marked(seq + 1)], [true, false], 'the change set of the first block contains the mark');

  after.rollback(3);
  t.equal(markOf(after), undefined, 'the mark is reverted with its block');
  after.importBlock(blocks[3]!);
  t.equal(markOf(after), '0000000000000001', 'the next block writes the mark again');
});

t.test('marks a new 4.8.2 chain at the start, and never marks a 4.7.2 chain', async (t: Test) => {
  const later = await open(t, temporaryFolder(t), '4.8.2');
  t.equal(markOf(later), '0000000000000001');
  const old = await open(t, temporaryFolder(t), '4.7.2');
  old.importBlock(blocks[0]!);
  t.equal(markOf(old), undefined);
});

t.test('re-indexes ids with a dotless i under the common key, unless that key exists', async (t: Test) => {
  const dataDir = temporaryFolder(t);
  const before = await open(t, dataDir, '4.7.2');
  await before.ledger.close();
  const { state, ledger } = await open(t, dataDir, '4.8.2');
  const key = (id: string): string => toHex(utf8(id));
  const ids = { 't\u0131t\u0131': 'aa', plain: 'bb', 'm\u0131ne': 'cc', mine: 'dd' };
  const rows = Object.entries(ids).map(([id, value]) => ({ key: utf8(id), value: fromHex(value) }));
  for (const { key: id, value } of rows) state.accountIdIndex.put(toHex(id), value);
  const head = { get: ledger.head.get.bind(ledger.head), range: () => rows };
  const found = (): Record<string, string> =>
    Object.fromEntries(
      ['titi', 't\u0131t\u0131', 'plain', 'mine', 'm\u0131ne'].flatMap((id) => {
        const value = state.accountIdIndex.get(key(id));
        return value === undefined ? [] : [[id, toHex(value)]];
      }),
    );
  runFirstStart(state, head);
  t.same(found(), { titi: 'aa', plain: 'bb', mine: 'dd' });
  t.equal(state.properties.get('TURKISH_KEY_MIGRATION_DONE'), 1n);

  state.accountIdIndex.put(key('t\u0131t\u0131'), fromHex('ee'));
  runFirstStart(state, head);
  t.equal(found()['t\u0131t\u0131'], 'ee', 'a marked folder is not migrated again');
});
