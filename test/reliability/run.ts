import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damage } from './damage.js';
import { forwardKills } from './forward-kills.js';
import { history } from './history.js';
import { killWhileImporting } from './kill-while-importing.js';
import { createRandom } from './random.js';
import { replayAgain } from './replay-again.js';
import { stopWhileProducing } from './stop-while-producing.js';
import { subscribers } from './subscribers.js';
import { twoProcesses } from './two-processes.js';

/** What one measurement needs; it throws when its target is missed. */
export interface Measurement {
  readonly title: string;
  readonly gate: number;
  readonly night: number;
  run(options: MeasurementOptions): Promise<string>;
}

export interface MeasurementOptions {
  readonly count: number;
  readonly folder: string;
  /** 0 up to, without, 1. */
  readonly random: () => number;
}

/** By the numbers of the project's reliability page; `history` is the walk through all heights of a recorded chain. */
const measurements: Readonly<Record<string, Measurement>> = {
  '1': killWhileImporting,
  '4': replayAgain,
  '6': damage,
  '9': twoProcesses,
  '10': forwardKills,
  '16': subscribers,
  '39': stopWhileProducing,
  history,
};

/** `npm run reliability -- <number> [--night] [--seed n] [--count n]` */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const chosen = args.filter((arg) => measurements[arg] !== undefined);
if (chosen.length === 0) {
  console.error('npm run reliability -- <number> [--night] [--seed n] [--count n]');
  for (const [number, { title, gate, night }] of Object.entries(measurements)) {
    console.error(`  ${number.padEnd(8)} ${title} (${gate}, at night ${night})`);
  }
  process.exit(1);
}
let failed = 0;
for (const number of chosen) {
  const measurement = measurements[number]!;
  const seed = Number(option('--seed') ?? Date.now() % 1_000_000_000);
  const count = Number(option('--count') ?? (args.includes('--night') ? measurement.night : measurement.gate));
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-reliability-'));
  const started = Date.now();
  try {
    const result = await measurement.run({ count, folder, random: createRandom(seed) });
    console.log(`${number} ${measurement.title}: ${result} (count ${count}, seed ${seed}, ${seconds(started)} s)`);
  } catch (error) {
    failed++;
    console.log(
      `${number} ${measurement.title}: MISSED ${(error as Error).message} (count ${count}, seed ${seed}, ${seconds(started)} s)`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(1);
}
