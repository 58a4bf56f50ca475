import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { NO_FLAGS } from '../../../../src/config/flags.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { openChain } from '../../../../src/node/open-chain.js';
import { type SinkService, serveSinks } from '../../../../src/node/sinks/serve-sinks.js';
import {
  EXECUTED_FOLDER,
  type ExecutedChanges,
  pastChangesOf,
} from '../../../../src/node/threads/executed-changes/executed-changes.js';
import { PastChangesThread } from '../../../../src/node/threads/executed-changes/past-changes-thread.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { encodeChangeSet, normaliseChanges } from '../../../../src/projections/state/change-set.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { CHANGE_TRIGGERS, type Trigger } from '../../../../src/streams/event-kinds.js';
import type { SinkOptions } from '../../../../src/streams/sinks/sink-kinds.js';
import { readLines } from '../../../conformance/recording.js';
import { EVENT_TIME_LIMITS } from '../../../support/event-timeout.js';
import { silent } from '../../../support/projections/chain.js';
import { ndjsonSink } from '../../../support/streams/sink-options.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { golden } from '../../../support/tronicle.js';

const folder = join(golden, 'system-modern');
const file = (name: string, topics: readonly Trigger[]): SinkOptions => ndjsonSink(name, { topics });

type Test = Parameters<typeof temporaryFolder>[0];

async function openNode(
  t: Test,
  retention: 'all' | 'unsolidified',
  sinks: readonly SinkOptions[],
  logRetention: 'all' | number = 'all',
) {
  const { config: read } = loadConfig({ file: join(folder, 'config.conf'), flags: NO_FLAGS });
  const config = {
    ...read,
    tronicle: {
      ...read.tronicle,
      sinks,
      history: { retention },
      log: { ...read.tronicle.log, retention: logRetention },
    },
  };
  const dataDir = temporaryFolder(t);
  const chain = await openChain({ config, dataDir, log: silent });
  t.teardown(() => chain.ledger.close());
  const importTo = async (height: number): Promise<void> => {
    const next = chain.ledger.position.headNumber + 1;
    for await (const { num, block } of readLines<{ num: number; block: string }>(join(folder, 'blocks.ndjson.gz')))
      if (num >= next && num <= height) {
        chain.importBlock(decodeBlock(fromHex(block)));
        if (num % 20 === 0) await chain.ledger.flush();
      }
    await chain.ledger.flush();
  };
  const serve = (): SinkService => serveSinks({ config, dataDir, chain, log: silent, closeLimits: EVENT_TIME_LIMITS });
  return { chain, dataDir, config, importTo, serve };
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(20)) if (isTrue()) return;
  throw new Error(`waited for ${what}`);
}

const linesOf = (dataDir: string, name: string): string[] =>
  readFileSync(join(dataDir, `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n');

const blockOf = (line: string): number => (JSON.parse(line) as { blockNum: number }).blockNum;

/**
 * Returns a record (JSON line) without its link to the previous record, and without the flag `end` of the last record
 * of a block.
 */
const withoutLinks = (line: string): string =>
  line.replace(/"prevSeq":\d+,"prevIndex":\d+,/, '').replace('"end":true,', '');

t.test('backfills the same bytes as live forwarding for blocks without stored changes', async (t) => {
  const topics: readonly Trigger[] = ['transaction', 'contractlog', ...CHANGE_TRIGGERS];
  const whole = await openNode(t, 'all', [file('live', topics)]);
  const live = whole.serve();
  await whole.importTo(300);
  const last = whole.chain.solidifiedNumber;
  await until('live records', () => (live.statuses.get('live')?.number ?? -1) >= last);
  await live.close();

  const short = await openNode(t, 'unsolidified', [file('base', topics)]);
  await short.importTo(260);
  t.ok(short.chain.ledger.keptHeight > 200, 'most change sets are deleted');
  const sinks = short.serve();
  await sinks.control.pause('base');
  const fill = async (topic: Trigger, from: number, to?: number) =>
    sinks.control.backfill({ sink: 'base', topic, from, ...(to !== undefined && { to }), into: `${topic}.ndjson` });
  const filled: Trigger[] = ['transaction', 'balance', 'stake', 'vote'];
  for (const topic of filled) {
    const { sink, note } = await fill(topic, 30, last);
    t.match(note, /row changes of block 30 were deleted .* executes blocks 0 to \d+ again/);
    t.equal(sink, `base-${topic}-from-30`);
  }
  // The backfill first executes blocks without change sets. It then reads the stored change sets, and then new blocks.
  await short.importTo(300);
  for (const topic of filled)
    await until(`the end of ${topic}`, () =>
      sinks.control.list().some((sink) => {
        const { name, status } = sink as { name: string; status?: { state: string } };
        return name === `base-${topic}-from-30` && status?.state === 'done';
      }),
    );
  const expected = linesOf(whole.dataDir, 'live').filter((line) => blockOf(line) >= 30);
  for (const topic of filled) {
    const theirs = expected.filter((line) => line.startsWith(`{"topic":"${topic}"`)).map(withoutLinks);
    t.ok(theirs.length > 0, topic);
    t.ok(blockOf(theirs[0]!) < 230, 'the records start below the stored change sets');
    t.same(linesOf(short.dataDir, topic).map(withoutLinks), theirs, topic);
  }
  await sinks.close();
  const left = join(short.dataDir, EXECUTED_FOLDER);
  t.same(existsSync(left) ? readdirSync(left) : [], [], 'the temporary state is deleted');
});

t.test('computes the same changes as the log by executing blocks, and stops on request', async (t) => {
  const { chain, config, dataDir, importTo } = await openNode(t, 'all', []);
  await importTo(120);
  const source = pastChangesOf(config, dataDir);
  const past = source.open('one') as ExecutedChanges;
  for (const number of [1, 7, 60, 61]) t.same(await past.recordOf(number), recordOf(number), `block ${number}`);
  await t.rejects(past.recordOf(7), { code: 'LOG_HOLE' });
  await t.rejects(past.recordOf(121), { code: 'LOG_HOLE' });
  past.stop();
  await t.rejects(past.recordOf(130), { code: 'STOPPED' });
  await past.close();
  t.notOk(existsSync(join(dataDir, EXECUTED_FOLDER, 'one')));
  const worker = new URL('../../../../dist/node/threads/executed-changes/executed-changes-worker.js', import.meta.url);
  const thread = new PastChangesThread({ ...source.thread, file: worker.href }, { name: 'two', log: silent });
  t.same(await thread.recordOf(50), recordOf(50), 'the same record in a separate thread');
  await t.rejects(thread.recordOf(500), { message: /the log ends at block 120/ });
  await thread.close();
  t.notOk(existsSync(join(dataDir, EXECUTED_FOLDER, 'two')));

  function recordOf(number: number): Buffer {
    const { rows, internalTransactions } = chain.ledger.changes(chain.ledger.block(number)!.seq)!;
    return encodeChangeSet(normaliseChanges(rows), internalTransactions);
  }
});

t.test('stops a sink whose row changes are deleted if the blocks before them are pruned', async (t) => {
  const { chain, dataDir, importTo, serve } = await openNode(t, 'unsolidified', [], 150);
  await importTo(260);
  const { startNumber, keptHeight } = chain.ledger;
  t.ok(startNumber > 50 && startNumber + 100 < keptHeight, `log from ${startNumber}, row changes from ${keptHeight}`);
  const sinks = serve();
  const statusOf = async (from: number) => {
    const name = `from-${from}`;
    const sink = { type: 'ndjson', path: join(dataDir, `${name}.ndjson`), topics: ['balance'], from };
    await sinks.control.add({ name, ...sink });
    await until('an end', () => ['stopped', 'retrying'].includes(sinks.statuses.get(name)?.state ?? ''));
    return sinks.statuses.get(name);
  };
  t.match(await statusOf(startNumber + 2), { state: 'stopped', problem: /entry \d+ was deleted/ });
  t.match(await statusOf(keptHeight - 2), {
    state: 'stopped',
    problem: new RegExp(`row changes of block ${keptHeight - 2} were deleted.*log starts after block ${startNumber}`),
  });
  await sinks.close();
});
