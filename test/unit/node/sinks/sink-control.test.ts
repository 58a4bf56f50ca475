import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { SinkControl, type SinkRunner } from '../../../../src/node/sinks/sink-control.js';
import { SinkRegistry } from '../../../../src/node/sinks/sink-registry.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/sink-status.js';
import { CheckpointFile, checkpointFileOf } from '../../../../src/streams/sinks/checkpoint-file.js';
import type { SinkOptions } from '../../../../src/streams/sinks/sink-kinds.js';
import { ndjsonSink } from '../../../support/streams/sink-options.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const MAIN_NET = { addressPrefix: 0x41 };

/** A runner that records the calls of the sink control. It returns statuses that the test has set. */
class Runner implements SinkRunner {
  readonly statuses = new Map<string, SinkStatus>();
  readonly calls: string[] = [];

  startSink({ name }: SinkOptions): void {
    this.calls.push(`start ${name}`);
  }

  async stopSink(name: string): Promise<void> {
    this.calls.push(`stop ${name}`);
  }

  lagOf({ number }: SinkStatus): number {
    return 10 - number;
  }

  removeSink(name: string): void {
    this.statuses.delete(name);
  }

  noteOn(): undefined {
    return undefined;
  }
}

interface Opened {
  readonly runner: Runner;
  readonly control: SinkControl;
  readonly dataDir: string;
  /** Log lines of the sink control. */
  readonly lines: readonly string[];
}

function open(t: Test): Opened {
  const runner = new Runner();
  const dataDir = temporaryFolder(t);
  const registry = new SinkRegistry([ndjsonSink('file')], { dataDir, allowed: [] }, MAIN_NET);
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
  return { runner, dataDir, lines, control: new SinkControl(registry, runner, log) };
}

function status(name: string, state: SinkStatus['state'], problem?: string): SinkStatus {
  return { name, state, number: 7, seq: 14, records: 3, ...(problem !== undefined && { problem }) };
}

t.test('lists the lag of a sink in blocks', async (t) => {
  const { runner, control } = open(t);
  t.match(control.list(), [{ name: 'file', isPaused: false, status: undefined, lag: undefined }]);
  runner.statuses.set('file', status('file', 'forwarding'));
  t.match(control.list(), [{ name: 'file', status: { number: 7 }, lag: 3 }]);
});

t.test('resume restarts a sink that has stopped with an error', async (t) => {
  const { runner, control } = open(t);
  runner.statuses.set('file', status('file', 'stopped', 'topic file.block is missing'));
  await control.resume('file');
  t.strictSame(runner.calls, ['stop file', 'start file']);
});

t.test('resume of a running sink fails and reports its state and problem', async (t) => {
  const { runner, control } = open(t);
  await t.rejects(control.resume('file'), {
    message: 'cannot resume sink file, because it is neither paused nor stopped; its state is starting',
  });
  runner.statuses.set('file', status('file', 'retrying', 'Kafka denies User:a'));
  await t.rejects(control.resume('file'), { message: /its state is retrying: Kafka denies User:a$/ });
  t.strictSame(runner.calls, []);
});

t.test('resume starts a paused sink once', async (t) => {
  const { runner, control } = open(t);
  await control.pause('file');
  await control.resume('file');
  t.strictSame(runner.calls, ['stop file', 'start file']);
});

t.test('removes the status of a removed sink', async (t) => {
  const { runner, control } = open(t);
  runner.statuses.set('file', status('file', 'stopped', 'topic file.block is missing'));
  await control.remove('file');
  t.equal(runner.statuses.size, 0);
  t.strictSame(control.list(), []);
});

t.test('does not stop a sink whose removal cannot be stored', async (t) => {
  const { runner, control, dataDir } = open(t);
  const folder = join(dataDir, 'streams');
  writeFileSync(folder, '');
  await t.rejects(control.remove('file'), { code: 'EEXIST' });
  t.strictSame(runner.calls, []);
  rmSync(folder);
  await control.remove('file');
  t.strictSame(runner.calls, ['stop file']);
  t.strictSame(control.list(), []);
});

t.test('lists a complete backfill as done with its counts, and runs the same range again', async (t) => {
  const { runner, control, dataDir } = open(t);
  const request = { sink: 'file', topic: 'block', from: 10, to: 30, into: 'past.ndjson' };
  const { sink: first } = await control.backfill(request);
  t.equal(first, 'file-block-from-10');
  const done = status(first, 'done');
  runner.statuses.set(first, done);
  const id = '0'.repeat(64);
  new CheckpointFile(checkpointFileOf(dataDir, first)).write({ seq: 60, number: 30, id, isDone: true });
  control.noteStatus(done);
  await t.rejects(control.backfill({ ...request, topic: 'none' }), /unknown topic/);
  t.equal(runner.statuses.size, 0);
  t.match(control.list(), [{ name: 'file' }, { name: first, status: { state: 'done', records: 3, number: 7 } }]);
  writeFileSync(join(dataDir, 'past.ndjson'), '');
  await t.rejects(control.backfill(request), /past.ndjson contains .*; set another file with --into/);
  const { sink: second } = await control.backfill({ ...request, into: 'again.ndjson' });
  t.equal(second, 'file-block-from-10-2');
  t.strictSame(runner.calls, [`start ${first}`, `stop ${first}`, `start ${second}`]);
});

t.test('refuses two sinks with the same file', async (t) => {
  const dataDir = temporaryFolder(t);
  const folders = { dataDir, allowed: [] };
  const text = /^sinks a and b both write to .*x\.ndjson; set another path for one of them$/;
  const a = ndjsonSink('a', { path: 'x.ndjson' });
  t.throws(() => new SinkRegistry([a, ndjsonSink('b', { path: 'x.ndjson' })], folders, MAIN_NET), { message: text });
  t.throws(
    () => new SinkRegistry([a, ndjsonSink('b', { path: join(dataDir, 'y', '..', 'x.ndjson') })], folders, MAIN_NET),
    {
      message: text,
    },
  );
  const registry = new SinkRegistry([a], folders, MAIN_NET);
  const b = { name: 'b', type: 'ndjson', path: './x.ndjson', topics: ['block'] };
  t.throws(() => registry.add(b), { message: text });
  t.throws(() => registry.newBackfill(ndjsonSink('b', { path: 'x.ndjson' })), { message: text });
  t.match(registry.add({ ...b, path: 'z.ndjson' }), { name: 'b' });
  t.match(new SinkRegistry([a], folders, MAIN_NET).all(), [{ options: { name: 'a' } }, { options: { name: 'b' } }]);
});

t.test('logs a complete backfill that cannot be removed from the file of the sinks', async (t) => {
  const { control, runner, dataDir, lines } = open(t);
  const { sink } = await control.backfill({ sink: 'file', topic: 'block', from: 0, to: 7, into: 'old.ndjson' });
  mkdirSync(join(dataDir, 'streams', 'sinks.json.new'));
  control.noteStatus(status(sink, 'done'));
  await t.rejects(control.pause('file'), { code: 'EISDIR' });
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ level: 50, sink, err: { message: /EISDIR/ }, msg: 'complete backfill not removed' }],
  );
  t.match(control.list(), [{ name: 'file' }, { name: sink }]);
  t.ok(runner.calls.includes(`stop ${sink}`));
});
