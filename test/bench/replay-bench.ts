import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeBlock } from '../../src/vm/block/decoded-block.js';
import { recoverSigner } from '../../src/vm/transactions/recover-signer.js';
import { readLines } from '../conformance/recording.js';
import { openRecorded } from '../conformance/replay-session.js';
import type { Figures } from './figures.js';

interface Line {
  readonly block?: string;
}

const main = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));

/** Replays a chain: by stages on one thread, then as `tronicle import` does it, with peak memory and what is on the disk. */
export async function replayBench(folder: string, name: string, baseline: number, figures: Figures): Promise<void> {
  const stages = await measureStages(folder);
  const { perSecond, anonymousMiB, bytes } = await measureImport(folder, stages.transactions);
  const us = (ms: number): string => ((ms * 1000) / stages.transactions).toFixed(1);
  console.log(
    `${name}: ${perSecond.toFixed(0)} tx/s imported, ${(perSecond / baseline).toFixed(2)} × B, peak ${anonymousMiB} MiB anonymous, ` +
      `${bytes.toFixed(0)} bytes on disk per transaction`,
  );
  figures.note(`${name}: import`, perSecond, 'tx/s', perSecond / baseline);
  figures.note(`${name}: peak memory`, anonymousMiB, 'MiB');
  figures.note(`${name}: disk`, bytes, 'bytes/tx');
  for (const stage of ['decode', 'recovery', 'execution', 'commit'] as const)
    figures.note(`${name}: ${stage}`, (stages[stage] * 1000) / stages.transactions, 'µs/tx');
  console.log(
    `   µs per transaction on one thread: decode ${us(stages.decode)}, recovery ${us(stages.recovery)}, ` +
      `execution ${us(stages.execution)}, commit ${us(stages.commit)}`,
  );
}

async function measureStages(
  folder: string,
): Promise<Record<'transactions' | 'decode' | 'recovery' | 'execution' | 'commit', number>> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const chain = await openRecorded(folder, data);
  const sums = { transactions: 0, decode: 0, recovery: 0, execution: 0, commit: 0 };
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
    chain.push(block, { findSigner: (_hash, signature) => signers.get(signature)! });
    const executed = performance.now();
    await chain.ledger.flush();
    sums.transactions += block.transactions.length;
    sums.decode += decoded - started;
    sums.recovery += recovered - decoded;
    sums.execution += executed - recovered;
    sums.commit += performance.now() - executed;
  }
  await chain.ledger.close();
  rmSync(data, { recursive: true, force: true });
  return sums;
}

/** Two runs, the better one: a shared machine only ever takes away. */
async function measureImport(
  folder: string,
  transactions: number,
): Promise<{ perSecond: number; anonymousMiB: number; bytes: number }> {
  const runs = [await importOnce(folder), await importOnce(folder)];
  const seconds = Math.min(...runs.map((run) => run.seconds));
  return {
    perSecond: transactions / seconds,
    anonymousMiB: Math.max(...runs.map((run) => run.anonymousMiB)),
    bytes: runs[0]!.bytes / transactions,
  };
}

interface Import {
  readonly seconds: number;
  readonly anonymousMiB: number;
  /** Of the data folder. */
  readonly bytes: number;
}

function importOnce(folder: string): Promise<Import> {
  const data = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const args = ['import', join(folder, 'blocks.ndjson.gz'), '-c', join(folder, 'config.conf'), '-d', data];
  const started = performance.now();
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
  let anonymousMiB = 0;
  const timer = setInterval(() => {
    anonymousMiB = Math.max(anonymousMiB, readAnonymousMiB(child.pid!));
  }, 50);
  return new Promise((resolve) => {
    child.on('exit', () => {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1000;
      const bytes = bytesIn(data);
      rmSync(data, { recursive: true, force: true });
      resolve({ seconds, anonymousMiB, bytes });
    });
  });
}

/** What files take on the disk: those of LMDB have holes. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.blocks * 512 : 0), 0);
}

function readAnonymousMiB(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
