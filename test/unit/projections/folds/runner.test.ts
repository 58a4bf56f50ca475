import t from 'tap';
import { seqKey } from '../../../../src/log/block-key.js';
import type { Projection } from '../../../../src/projections/folds/projection.js';
import { ProjectionDatabase } from '../../../../src/projections/folds/projection-database.js';
import { runProjections } from '../../../../src/projections/folds/runner.js';
import type { Ledger } from '../../../../src/projections/ledger/ledger.js';
import { open, silent, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';

/** A row for every transaction and every changed row of a block. */
const byBlock = (version = 1): Projection => ({
  name: 'by-block',
  version,
  apply: ({ entry, changes }) => [
    ...entry.transactionIds.map((id) => ({
      key: Buffer.concat([seqKey(entry.number), id]),
      value: Buffer.from([version]),
    })),
    { key: Buffer.concat([seqKey(entry.number), entry.id]), value: seqKey(changes().rows.length) },
  ],
});

/** Runs until every projection has folded the whole log, then stops. */
async function runToEnd(
  ledger: Ledger,
  database: ProjectionDatabase,
  projections: readonly Projection[],
): Promise<void> {
  const stop = new AbortController();
  const running = runProjections({ ledger, database, projections, log: silent }, stop.signal);
  const isDone = (): boolean =>
    projections.every(({ name, version }) => {
      const cursor = database.cursor(name);
      return cursor?.version === version && cursor.seq === ledger.storedSeq;
    });
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 2));
  stop.abort();
  await running;
}

function rows(database: ProjectionDatabase, prefix: Uint8Array = Buffer.alloc(0)): string[] {
  return [...database.range('by-block', prefix)].map(({ key, value }) => Buffer.concat([key, value]).toString('hex'));
}

t.test('rows follow the log through a switch, a restart, and a new version', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  for (let i = 0; i < 25; i++) appendCounterBlock(ledger);
  await ledger.flush();
  await runToEnd(ledger, database, [byBlock()]);
  t.equal(rows(database).length, 51);
  for (let i = 0; i < 4; i++) ledger.revert();
  for (let i = 0; i < 2; i++) appendCounterBlock(ledger, 'other');
  await ledger.flush();
  await runToEnd(ledger, database, [byBlock()]);
  const followed = rows(database);
  t.equal(followed.length, 47);

  const other = temporaryFolder(t);
  const late = new ProjectionDatabase(other, { readOnly: false });
  await runToEnd(ledger, late, [byBlock()]);
  t.strictSame(rows(late), followed, 'one that was switched on late has the same rows');
  await late.close();

  await runToEnd(ledger, database, [byBlock(2)]);
  t.notSame(rows(database), followed);
  t.equal(rows(database).length, 47);
  t.equal(rows(database, seqKey(7)).length, 2);
  t.strictSame([...database.range('by-block', seqKey(7), { reverse: true, limit: 1 })].length, 1);
  await database.close();
  await ledger.close();
  const checked = await open(dataDir, { retention: 'all', check: true });
  await checked.close();
});

t.test('a projection that fails stops the runner with its error', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir);
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  const failing: Projection = {
    name: 'failing',
    version: 1,
    apply: () => {
      throw new Error('no');
    },
  };
  const running = runProjections(
    { ledger, database, projections: [failing, byBlock()], log: silent },
    new AbortController().signal,
  );
  await t.rejects(running, { message: 'no' });
  await database.close();
  await ledger.close();
});
