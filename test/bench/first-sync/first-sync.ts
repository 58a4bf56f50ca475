import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readBlockFile } from '../../../src/node/blocks/block-file.js';
import { present } from '../../../src/primitives/assert.js';

import type { Figures, NamedFigures } from '../figures.js';
import { measureRecovery } from '../recovery.js';
import { measureStages, STAGES, type Stages } from '../stages.js';
import { copyFolder, measureSteady, type Steady, timedRun } from '../timed-run.js';
import { openDay, type PreparedDay, prepareDay } from './prepared-day.js';

const DAY_TRANSACTIONS = 9_000_000;
const YEAR_DAYS = 365;
/** Goals on two processors, in seconds: a day in ten minutes, a year in three days. */
const [DAY_GOAL, YEAR_GOAL] = [600, 259_200];
/** Number of blocks that one write contains. An import also writes many blocks together. */
const FLUSH_BLOCKS = 50;
/**
 * Default number of blocks, which is an hour and a half of the chain. The growth of the log is measured after the first
 * third. By then the import has made several commits, and LMDB reuses the pages that they have freed.
 */
const BLOCKS = 1_800;
/** Six hours have 7,200 slots. The generated blocks must end before the maintenance. */
const BLOCKS_MAX = 7_000;
/** The generated signers and token holders are spread over this number of accounts at least. */
const ACCOUNTS_MIN = 20_000;

/**
 * Runs `npm run bench -- first-sync [blocks] [--accounts <number>] [--keep <folder>]`. Imports a generated slice of a
 * day of the main net, and extrapolates to a day and a year.
 */
export async function firstSyncBench(args: readonly string[], figures: Figures): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { accounts: { type: 'string', default: '1000000' }, keep: { type: 'string' } },
  });
  const [blocks, accounts] = [Number(positionals[0] ?? BLOCKS), Number(values.accounts)];
  if (!(blocks >= 3 && blocks <= BLOCKS_MAX)) throw new Error(`the slice must have 3 to ${BLOCKS_MAX} blocks`);
  if (!(Number.isSafeInteger(accounts) && accounts >= ACCOUNTS_MIN))
    throw new Error(`--accounts must be an integer, at least ${ACCOUNTS_MIN}`);
  const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'tronicle-day-')) : resolve(values.keep);
  try {
    const started = performance.now();
    const day = await prepareDay(folder, accounts, blocks);
    const generated = (performance.now() - started) / 1000;
    console.log(`first sync: ${blocks} blocks on ${accounts} accounts, prepared in ${generated.toFixed(0)} s`);
    const named = figures.named(`first sync, ${accounts} accounts`);
    reportDay(await measureDay(day, folder, named), named);
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface DayRate {
  readonly perSecond: number;
  readonly blocksPerSecond: number;
  /** Signatures that the native library recovers on one thread per second. */
  readonly baseline: number;
}

async function measureDay(day: PreparedDay, folder: string, figures: NamedFigures): Promise<DayRate> {
  const stages = await stagesOf(day, join(folder, 'staged'));
  const { third, end } = stages.span;
  const before = measureRecovery();
  const steady = await measureSteady(stages.span, (height) =>
    timedRun(['import', day.file, '-c', day.config, '--until', String(height)], day.data),
  );
  const baseline = Math.max(before, measureRecovery());
  reportImport(steady, baseline, figures);
  reportStages(stages, figures);
  const { perSecond } = steady;
  const perBlock = (end.transactions - third.transactions) / (end.height - third.height);
  return { perSecond, blocksPerSecond: perSecond / perBlock, baseline };
}

async function stagesOf({ data, file, config }: PreparedDay, copy: string): Promise<Stages> {
  copyFolder(data, copy);
  const chain = await openDay(copy, config);
  try {
    const genesisId = present(chain.ledger.blockIdAt(0), 'every chain has a genesis');
    return await measureStages(chain, readBlockFile(file, genesisId), FLUSH_BLOCKS);
  } finally {
    await chain.ledger.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

function reportImport(steady: Steady, baseline: number, figures: NamedFigures): void {
  const { perSecond, processorMs, logBytes, whole } = steady;
  const stateMegabytes = (whole.bytes - whole.logBytes) / 1e6;
  console.log(
    `   ${perSecond.toFixed(0)} tx/s imported, ${(perSecond / baseline).toFixed(2)} × B (${Math.round(baseline)} bare ` +
      `recoveries/s on one thread); ${(processorMs * 1000).toFixed(1)} µs of processors for each, ` +
      `garbage ${(steady.garbageShare * 100).toFixed(1)} % of the main thread, peak ${whole.anonymousMiB} MiB ` +
      `anonymous, ${logBytes.toFixed(0)} bytes of the log per transaction; the other files grow by ` +
      `${stateMegabytes.toFixed(0)} MB in all`,
  );
  figures.note('import', perSecond, 'tx/s', perSecond / baseline);
  figures.note('processors', processorMs * 1000, 'µs/tx');
  figures.note('peak memory', whole.anonymousMiB, 'MiB');
  figures.note('log', logBytes, 'bytes/tx');
  figures.note('growth of the state file', stateMegabytes, 'MB');
}

/** Reports the share of each stage. All stages except recovery use the main thread of an import. */
function reportStages(stages: Stages, figures: NamedFigures): void {
  const { transactions } = stages.span.end;
  const sum = STAGES.reduce((total, stage) => total + stages[stage], 0);
  const parts = STAGES.map((stage) => {
    const us = (stages[stage] * 1000) / transactions;
    figures.note(stage, us, 'µs/tx');
    return `${stage} ${us.toFixed(1)} (${((stages[stage] / sum) * 100).toFixed(0)} %)`;
  });
  const main = ((sum - stages.recovery) * 1000) / transactions;
  console.log(
    `   µs per transaction on one thread: ${parts.join(', ')}; all but recovery ${main.toFixed(1)}, at most ` +
      `${(1e6 / main).toFixed(0)} tx/s of the main thread`,
  );
}

function reportDay({ perSecond, blocksPerSecond, baseline }: DayRate, figures: NamedFigures): void {
  const day = DAY_TRANSACTIONS / perSecond;
  const year = day * YEAR_DAYS;
  console.log(
    `   ${blocksPerSecond.toFixed(1)} blocks/s; a day: 9,000,000 tx / ${perSecond.toFixed(0)} tx/s = ` +
      `${(day / 60).toFixed(1)} min (goal: ${DAY_GOAL / 60} min); a year: 365 × a day = ` +
      `${(year / 86_400).toFixed(2)} days (goal: ${YEAR_GOAL / 86_400} days); bare recovery of a day on two threads: ` +
      `9,000,000 / (2 × B) = ${(DAY_TRANSACTIONS / (2 * baseline) / 60).toFixed(1)} min`,
  );
  figures.note('blocks', blocksPerSecond, 'blocks/s');
  figures.note('a day', day / 60, 'min', day / DAY_GOAL);
  figures.note('a year', year / 86_400, 'days', year / YEAR_GOAL);
}
