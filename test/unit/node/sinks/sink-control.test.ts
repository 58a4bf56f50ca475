import t, { type Test } from 'tap';
import { SinkControl, type SinkRunner } from '../../../../src/node/sinks/sink-control.js';
import { SinkRegistry } from '../../../../src/node/sinks/sink-registry.js';
import type { SinkStatus } from '../../../../src/streams/forwarding/forward.js';
import type { SinkOptions } from '../../../../src/streams/sinks/sink-kinds.js';
import { ndjsonSink } from '../../../support/streams/sink-options.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Records the calls, and has the statuses that a test sets. */
class Runner implements SinkRunner {
  readonly statuses = new Map<string, SinkStatus>();
  readonly calls: string[] = [];

  startSink({ name }: SinkOptions): void {
    this.calls.push(`start ${name}`);
  }

  async stopSink(name: string): Promise<void> {
    this.calls.push(`stop ${name}`);
  }

  noteOn(): undefined {
    return undefined;
  }
}

function open(t: Test): { readonly runner: Runner; readonly control: SinkControl } {
  const runner = new Runner();
  const registry = new SinkRegistry([ndjsonSink('file')], { dataDir: temporaryFolder(t), allowed: [] });
  return { runner, control: new SinkControl(registry, runner) };
}

function status(name: string, state: SinkStatus['state'], problem?: string): SinkStatus {
  return { name, state, number: 7, seq: 14, records: 3, ...(problem !== undefined && { problem }) };
}

t.test('resume restarts a sink that has stopped with an error', async (t) => {
  const { runner, control } = open(t);
  runner.statuses.set('file', status('file', 'stopped', 'topic file.block is missing'));
  await control.resume('file');
  t.strictSame(runner.calls, ['stop file', 'start file']);
});

t.test('resume names state and problem of a sink that is running', async (t) => {
  const { runner, control } = open(t);
  await t.rejects(control.resume('file'), {
    message: 'sink file is neither paused nor stopped; its state is starting',
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
