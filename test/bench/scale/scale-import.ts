import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf, startTronicle } from '../../support/tronicle.js';
import { DAY_BLOCK_TRANSACTIONS } from '../first-sync/day-blocks.js';
import { measuredCommand } from '../timed-run.js';
import type { ScaleFigures } from './scale-figures.js';
import { startNode } from './scale-serving.js';
import { headOf, scaleChain } from './scale-source.js';

/**
 * Heights in the generated day at which the imports stop. The import up to `warm` measures the start and the warm-up of
 * the process. Its time is subtracted from that of the import up to `imported`.
 */
export const DAY_PARTS = { warm: 40, imported: 240, killed: 320, pruned: 440 } as const;
/** Time in ms after which the import is killed. It is then in the middle of its writes. */
const KILL_AFTER_MS = 4_000;

const config = join(scaleChain, 'config.conf');

/** Imports signed blocks of a generated day. The time per transaction excludes start and warm-up of the process. */
export async function measureImport(dataDir: string, file: string, figures: ScaleFigures): Promise<void> {
  const start = await headOf(dataDir);
  const until = (block: number): string[] => [
    'import',
    file,
    '-c',
    config,
    '-d',
    dataDir,
    '--until',
    `${start + block}`,
  ];
  const warm = await measuredCommand(until(DAY_PARTS.warm));
  const whole = await measuredCommand(until(DAY_PARTS.imported));
  // Both processes start and warm up during their first `warm` blocks. The difference of the two times therefore covers
  // the blocks that the second process imports after its warm-up.
  const blocks = DAY_PARTS.imported - 2 * DAY_PARTS.warm;
  const transactions = blocks * DAY_BLOCK_TRANSACTIONS;
  const us = ((whole.seconds - warm.seconds) * 1e6) / transactions;
  const processorUs = ((whole.processorMs - warm.processorMs) * 1000) / transactions;
  console.log(
    `   import of a day: ${(1e6 / us).toFixed(0)} tx/s, ${processorUs.toFixed(1)} µs of processors for each, ` +
      `peak ${whole.anonymousMiB} MiB anonymous`,
  );
  figures.compare('import', us, 'µs/tx');
  figures.compare('import, processors', processorUs, 'µs/tx');
  figures.note('import, peak memory', whole.anonymousMiB, 'MiB');
}

/** Kills an import, and measures the time until a node on this folder answers. */
export async function measureKill(dataDir: string, file: string, figures: ScaleFigures): Promise<void> {
  const start = await headOf(dataDir);
  const until = `${start + DAY_PARTS.killed - DAY_PARTS.imported}`;
  const child = startTronicle(['import', file, '-c', config, '-d', dataDir, '--until', until]);
  const ended = outcomeOf(child);
  await sleep(KILL_AFTER_MS);
  child.kill('SIGKILL');
  const { signal } = await ended;
  const node = await startNode(dataDir);
  await node.stop();
  const state = signal === null ? 'an import that had ended' : 'a killed import';
  console.log(`   start after ${state}: first answer after ${(node.startMs / 1000).toFixed(2)} s`);
  figures.compare('start after a kill', node.startMs / 1000, 's');
}
