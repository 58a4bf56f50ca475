import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemAt, present } from '../../src/primitives/assert.js';
import { decodeBlock } from '../../src/state-transition/block/decoded-block.js';
import { recoverSigner } from '../../src/state-transition/transactions/recover-signer.js';
import { readLines } from '../conformance/recording.js';
import { openRecorded } from '../conformance/replay-session.js';
import type { Figures } from './figures.js';
import { measureRecovery } from './recovery.js';
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
  const { span, ...stages } = await measureStages(folder);
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
  for (const stage of ['decode', 'recovery', 'execution', 'commit'] as const)
    figures.note(`${name}: ${stage}`, (stages[stage] * 1000) / span.end.transactions, 'µs/tx');
  console.log(
    `   µs per transaction on one thread: decode ${us(stages.decode)}, recovery ${us(stages.recovery)}, ` +
      `execution ${us(stages.execution)}, commit ${us(stages.commit)}`,
  );
  return { span, perSecond };
}

type Stages = Record<'decode' | 'recovery' | 'execution' | 'commit', number>;

async function measureStages(folder: string): Promise<Stages & { readonly span: Span }> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const chain = await openRecorded(folder, data);
  const sums = { decode: 0, recovery: 0, execution: 0, commit: 0 };
  const stands = [{ height: 0, transactions: 0 }];
  for await (const { block: hex } of readLines<Line>(join(folder, 'blocks.ndjson.gz'))) {
    if (hex === undefined) continue;
    const bytes = Buffer.from(hex, 'hex');
    const started = performance.now();
    const block = decodeBlock(bytes);
    const decoded = performance.now();
    const signers = new Map<Uint8Array, Uint8Array>();
    for (const { id, message } of block.transactions) {
      for (const signature of message.signature) signers.set(signature, recoverSigner(id, signature, 0x41));
    }
    const recovered = performance.now();
    chain.importBlock(block, { findSigner: (_hash, signature) => signers.get(signature)! });
    const executed = performance.now();
    await chain.ledger.flush();
    const transactions = (stands.at(-1)?.transactions ?? 0) + block.transactions.length;
    stands.push({ height: block.number, transactions });
    sums.decode += decoded - started;
    sums.recovery += recovered - decoded;
    sums.execution += executed - recovered;
    sums.commit += performance.now() - executed;
  }
  await chain.ledger.close();
  rmSync(data, { recursive: true, force: true });
  const total = itemAt(stands, stands.length - 1).transactions;
  const firstWith = (count: number) =>
    present(
      stands.find(({ transactions }) => transactions >= count),
      'the last one has all',
    );
  // Ignores empty blocks after the last transaction. A syncing node stops only at a block that another block follows.
  return { ...sums, span: { third: firstWith(total / 3), end: firstWith(total) } };
}
