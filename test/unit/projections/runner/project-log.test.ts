import { lastValueFrom, toArray } from 'rxjs';
import t from 'tap';
import { readSeq, seqKey } from '../../../../src/log/block-key.js';
import { TronError } from '../../../../src/primitives/errors.js';
import type { Ledger, RetainChanges } from '../../../../src/projections/ledger/ledger.js';
import { projectLog } from '../../../../src/projections/runner/project-log.js';
import type { ProjectedBlock, Projection } from '../../../../src/projections/runner/projection.js';
import { ProjectionDatabase } from '../../../../src/projections/runner/projection-database.js';
import { open, openReader, silent, temporaryFolder } from '../../../support/projections/chain.js';
import { appendCounterBlock } from '../../../support/projections/counter-chain.js';
import { until } from '../../../support/until.js';

/** Returns a projection with one row for each transaction, and one for each changed row of a block. */
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

/** Runs the projections until each has processed the whole log. */
async function runToEnd(
  ledger: Ledger,
  database: ProjectionDatabase,
  projections: readonly Projection[],
  retainChanges: RetainChanges = () => undefined,
): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const all = projectLog({ ledger, retainChanges, database, projections, log: silent, signal });
  let failure: unknown;
  const running = all.forEach((event) => {
    if (event.kind === 'stopped') failure = event.error;
  });
  const isDone = (): boolean =>
    projections.every(({ name, version }) => {
      const cursor = database.cursor(name);
      return cursor?.version === version && cursor.seq === ledger.storedSeq;
    });
  while (!isDone() && failure === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  stop.abort();
  await running;
  if (failure !== undefined) throw failure;
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

t.test('decodes each block once for all projections with the same cursor', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  const seen: [string, ProjectedBlock][] = [];
  const noting = (name: string): Projection => ({
    name,
    version: 1,
    apply: (block) => {
      seen.push([name, block]);
      return [];
    },
  });
  const blocksOf = (name: string): ProjectedBlock[] => seen.flatMap(([of, block]) => (of === name ? [block] : []));
  for (let i = 0; i < 5; i++) appendCounterBlock(ledger);
  await ledger.flush();
  await runToEnd(ledger, database, [noting('early')]);
  await runToEnd(ledger, database, [noting('early'), noting('a'), noting('b')]);
  t.equal(blocksOf('early').length, 6, 'the cursor of another projection does not move this one');
  t.equal(blocksOf('a').length, 6);
  t.ok(blocksOf('a').every((block, at) => block === blocksOf('b')[at]));
  seen.length = 0;
  appendCounterBlock(ledger);
  await ledger.flush();
  await runToEnd(ledger, database, [noting('early'), noting('a'), noting('b')]);
  t.equal(new Set(seen.map(([, block]) => block)).size, 1, 'all projections that have caught up share one pass');
  await database.close();
  await ledger.close();
});

t.test('stops a projection that fails, and continues with the others', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  for (let i = 0; i < 5; i++) appendCounterBlock(ledger);
  await ledger.flush();
  const failing: Projection = {
    name: 'failing',
    version: 1,
    apply: ({ entry }) => {
      if (entry.number === 3) throw new Error('no');
      return [];
    },
  };
  const stop = new AbortController();
  const options = { ledger, retainChanges: () => undefined, database, log: silent, signal: stop.signal };
  const alone = await lastValueFrom(projectLog({ ...options, projections: [failing] }).pipe(toArray()));
  t.match(alone, [
    { kind: 'committed', name: 'failing', seq: -1 },
    { kind: 'stopped', name: 'failing', error: { message: 'no' } },
  ]);
  t.equal(database.cursor('failing')?.seq, -1, 'nothing of the batch is stored');
  const both = lastValueFrom(projectLog({ ...options, projections: [failing, byBlock()] }).pipe(toArray()));
  while (database.cursor('by-block')?.seq !== ledger.storedSeq) await new Promise((resolve) => setTimeout(resolve, 2));
  stop.abort();
  const names = (await both).flatMap((event) => (event.kind === 'stopped' ? [event.name] : []));
  t.strictSame(names, ['failing']);
  t.equal(rows(database).length, 11);
  await database.close();
  await ledger.close();
});

t.test('repeats a commit that failed, and loses no row', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  const complete = new ProjectionDatabase(temporaryFolder(t), { readOnly: false });
  for (let i = 0; i < 5; i++) appendCounterBlock(ledger);
  await ledger.flush();
  await runToEnd(ledger, complete, [byBlock()]);
  const commit = database.commit.bind(database);
  let attempts = 0;
  t.intercept(database, 'commit', {
    value: (...args: Parameters<typeof commit>) => {
      if (attempts++ < 2) throw new TronError('STORAGE_FAILED', 'no space left on device');
      commit(...args);
    },
  });
  const stop = new AbortController();
  const options = { ledger, retainChanges: () => undefined, database, projections: [byBlock()], log: silent };
  const running = lastValueFrom(projectLog({ ...options, signal: stop.signal, retryMs: 1 }).pipe(toArray()));
  await until('the rows', () => database.cursor('by-block')?.seq === ledger.storedSeq);
  t.strictSame(rows(database), rows(complete));
  attempts = 0;
  appendCounterBlock(ledger);
  await ledger.flush();
  await until('a failure', () => attempts > 0);
  stop.abort();
  t.ok((await running).every(({ kind }) => kind === 'committed'));
  await database.close();
  await complete.close();
  await ledger.close();
});

t.test('repeats a failed start of a projection, and a failed read of its rows', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  for (let i = 0; i < 5; i++) appendCounterBlock(ledger);
  await ledger.flush();
  const failing = <Args extends unknown[], R>(call: (...args: Args) => R) => {
    let failures = 2;
    const value = (...args: Args): R => {
      if (failures-- > 0) throw new TronError('STORAGE_FAILED', 'no space left on device');
      return call(...args);
    };
    return { value };
  };
  t.intercept(database, 'clear', failing(database.clear.bind(database)));
  t.intercept(ledger, 'changes', failing(ledger.changes.bind(ledger)));
  const stop = new AbortController();
  const options = { ledger, retainChanges: () => undefined, database, log: silent, retryMs: 1, signal: stop.signal };
  const other: Projection = { name: 'other', version: 1, apply: () => [] };
  const running = lastValueFrom(projectLog({ ...options, projections: [byBlock(), other] }).pipe(toArray()));
  await until('the rows', () => database.cursor('by-block')?.seq === ledger.storedSeq);
  await until('the other projection', () => database.cursor('other')?.seq === ledger.storedSeq);
  stop.abort();
  t.ok((await running).every(({ kind }) => kind === 'committed'));
  t.equal(rows(database).length, 11);
  await database.close();
  await ledger.close();
});

t.test('stops a projection whose cursor is damaged', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 'all' });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  await runToEnd(ledger, database, [byBlock()]);
  t.intercept(database, 'cursor', {
    value: () => {
      throw new Error('corrupt');
    },
  });
  const { signal } = new AbortController();
  const options = { ledger, retainChanges: () => undefined, database, log: silent, signal };
  const events = await lastValueFrom(projectLog({ ...options, projections: [byBlock()] }).pipe(toArray()));
  t.match(events, [{ kind: 'stopped', name: 'by-block', error: { message: 'corrupt' } }]);
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
    // Sends the same notification as the API thread sends to the chain thread.
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
      projections: [{ ...byBlock(), name: 'late' }],
      log: silent,
      signal: new AbortController().signal,
    });
    t.match(await lastValueFrom(late), { kind: 'stopped', error: { code: 'HISTORY_NOT_KEPT' } });
    t.ok(
      retained.has('projection late') && retained.get('projection late') === undefined,
      'nothing is retained for the failed projection',
    );
    await reader.close();
    await database.close();
    await ledger.close();
  },
);

t.test('rebuilds a projection if its next entry was pruned while it was disabled', async (t) => {
  const dataDir = temporaryFolder(t);
  const ledger = await open(dataDir, { retention: 10, logRetention: 10 });
  const database = new ProjectionDatabase(dataDir, { readOnly: false });
  const numbers: Projection = {
    name: 'by-block',
    version: 1,
    apply: ({ entry }) => [{ key: seqKey(entry.number), value: new Uint8Array(0) }],
  };
  const append = async (blocks: number): Promise<void> => {
    for (let i = 0; i < blocks; i++) {
      appendCounterBlock(ledger);
      await ledger.flush();
    }
  };
  await append(5);
  await runToEnd(ledger, database, [numbers], (name, seq) => ledger.retainChanges(name, seq));
  t.equal(rows(database).length, 6);
  await append(40);
  t.ok(ledger.startNumber < 10, 'an enabled projection prevents pruning');
  ledger.retainChanges('projection by-block', undefined);
  await append(5);
  t.equal(ledger.startNumber, 40);
  await runToEnd(ledger, database, [numbers]);
  t.same(
    [...database.range('by-block', Buffer.alloc(0))].map(({ key }) => readSeq(Buffer.from(key))),
    [0, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50],
  );
  await database.close();
  await ledger.close();
});
