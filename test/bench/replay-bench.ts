import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLines } from '../conformance/recording.js';
import { openRecorded } from '../conformance/replay-session.js';
import type { Figures } from './figures.js';
import { measureRecovery } from './recovery.js';
import { measureStages, STAGES, type Stages } from './stages.js';
import { measureSteady, type Span, timedRun } from './timed-run.js';

interface Line {
  readonly block?: string;
}

/** Results of a replay, with which the benchmarks of indexes and sync compare theirs. */
interface Replayed {
  readonly span: Span;
  /** Transactions per second of an import. The first third of the chain is excluded. */
  readonly perSecond: number;
}

/**
 * Replays a chain, first in separate stages on one thread, then with `tronicle import`. Also reports garbage
 * collection, peak memory and disk usage.
 */
export async function replayBench(folder: string, name: string, figures: Figures): Promise<Replayed> {
  const stages = await stagesOf(folder);
  const { span } = stages;
  const [blocks, config] = [join(folder, 'blocks.ndjson.gz'), join(folder, 'config.conf')];
  const before = measureRecovery();
  const steady = await measureSteady(span, (height) =>
    timedRun(['import', blocks, '-c', config, '--until', String(height)]),
  );
  // The baseline is measured before and after the runs, because the speed of the machine changes from minute to minute.
  const baseline = Math.max(before, measureRecovery());
  const { perSecond, whole } = steady;
  const bytes = whole.bytes / span.end.transactions;
  const us = (ms: number): string => ((ms * 1000) / span.end.transactions).toFixed(1);
  console.log(
    `${name}: from its second third on ${perSecond.toFixed(0)} tx/s imported, ${(perSecond / baseline).toFixed(2)} × B (${Math.round(baseline)}), ` +
      `${(steady.processorMs * 1000).toFixed(1)} µs of processors for each; its first third with start and end ${steady.firstSeconds.toFixed(2)} s; ` +
      `garbage ${(steady.garbageShare * 100).toFixed(1)} % of the main thread, peak ${whole.anonymousMiB} MiB anonymous, ` +
      `${bytes.toFixed(0)} bytes on disk per transaction`,
  );
  figures.note(`${name}: import`, perSecond, 'tx/s', perSecond / baseline);
  figures.note(`${name}: processors`, steady.processorMs * 1000, 'µs/tx');
  figures.note(`${name}: first third`, steady.firstSeconds, 's');
  figures.note(`${name}: garbage`, steady.garbageShare * 100, '% of main thread');
  figures.note(`${name}: peak memory`, whole.anonymousMiB, 'MiB');
  figures.note(`${name}: disk`, bytes, 'bytes/tx');
  for (const stage of STAGES)
    figures.note(`${name}: ${stage}`, (stages[stage] * 1000) / span.end.transactions, 'µs/tx');
  console.log(
    `   µs per transaction on one thread: decode ${us(stages.decode)}, recovery ${us(stages.recovery)}, ` +
      `execution ${us(stages.execution)}, commit ${us(stages.commit)}`,
  );
  return { span, perSecond };
}

async function stagesOf(folder: string): Promise<Stages> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const chain = await openRecorded(folder, data);
  try {
    return await measureStages(chain, blocksOf(folder), 1);
  } finally {
    await chain.ledger.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function* blocksOf(folder: string): AsyncGenerator<Uint8Array> {
  for await (const { block } of readLines<Line>(join(folder, 'blocks.ndjson.gz')))
    if (block !== undefined) yield Buffer.from(block, 'hex');
}
