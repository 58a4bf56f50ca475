import { lastValueFrom, merge } from 'rxjs';
import t from 'tap';
import { seqKey } from '../../../../src/log/block-key.js';
import type { Ledger, RetainChanges } from '../../../../src/projections/ledger/ledger.js';
import { projectLog } from '../../../../src/projections/runner/project-log.js';
import type { Projection } from '../../../../src/projections/runner/projection.js';
import { ProjectionDatabase } from '../../../../src/projections/runner/projection-database.js';
import { open, openReader, silent, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';

/** A projection with a row for every transaction and every changed row of a block. */
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
  retainChanges: RetainChanges = () => undefined,
): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const all = projections.map((projection) =>
    projectLog({ ledger, retainChanges, database, projection, log: silent, signal }),
  );
  const running = lastValueFrom(merge(...all), { defaultValue: undefined });
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

t.test('follows the log through a reorg, a restart and a new version', async (t) => {
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
  t.strictSame(rows(late), followed, 'a projection that was added later has the same rows');
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

t.test('ends with the error of a failed projection', async (t) => {
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
  const { signal } = new AbortController();
  const running = projectLog({
    ledger,
    retainChanges: () => undefined,
    database,
    projection: failing,
    log: silent,
    signal,
  });
  await t.rejects(lastValueFrom(running), { message: 'no' });
  await database.close();
  await ledger.close();
});

t.test(
  'retains the changes of entries that a projection has not read, except for a projection that starts late',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const ledger = await open(dataDir, { retention: 'unsolidified' });
    const reader = await openReader(dataDir, { notifier: ledger.notifierBuffer, follows: true });
    const database = new ProjectionDatabase(dataDir, { readOnly: false });
    const retained = new Map<string, number | undefined>();
    // Same notification as from the API thread to the chain thread.
    const retainChanges: RetainChanges = (name, seq) => {
      retained.set(name, seq);
      ledger.retainChanges(name, seq);
    };
    const followed = [{ ...byBlock(), name: 'followed' }];
    const grow = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) {
        appendCounterBlock(ledger);
        await ledger.flush();
      }
    };
    appendCounterBlock(ledger);
    await ledger.flush();
    await runToEnd(reader, database, followed, retainChanges);
    await grow();
    t.ok(ledger.keptHeight > 50, 'the writer has deleted change sets that no reader retains');
    await runToEnd(reader, database, followed, retainChanges);
    t.equal(retained.get('projection followed'), ledger.storedSeq, 'the projection reports the last position');
    await grow();
    const late = projectLog({
      ledger: reader,
      retainChanges,
      database,
      projection: { ...byBlock(), name: 'late' },
      log: silent,
      signal: new AbortController().signal,
    });
    await t.rejects(lastValueFrom(late), { code: 'HISTORY_NOT_KEPT' });
    t.ok(
      retained.has('projection late') && retained.get('projection late') === undefined,
      'nothing is retained for the failed projection',
    );
    await reader.close();
    await database.close();
    await ledger.close();
  },
);
