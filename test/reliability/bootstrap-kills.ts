import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeScaleSource, scaleChain } from '../bench/scale-source.js';
import { type Outcome, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const ACCOUNTS = 200_000;

/**
 * A bootstrap that is killed repeatedly must reach the state of an uninterrupted one, and its folder must be complete.
 */
export const bootstrapKills: Measurement = {
  title: 'resumes a bootstrap after repeated kills',
  gate: 10,
  night: 100,
  async run({ count, folder, random }) {
    const stores = await makeScaleSource(folder, ACCOUNTS);
    const archive = join(folder, 'java.tgz');
    execFileSync('tar', ['-czf', archive, '-C', dirname(stores), basename(stores)]);
    let rounds = 0;
    for (const [source, kills] of [
      [stores, Math.ceil(count / 2)],
      [archive, Math.floor(count / 2)],
    ] as const) {
      const begin = (dataDir: string, killAfterMs?: number): ReturnType<typeof runTronicle> =>
        runTronicle(
          ['bootstrap', source, '-c', join(scaleChain, 'config.conf'), '-d', dataDir],
          killAfterMs === undefined ? {} : { killAfterMs },
        );
      const whole = join(folder, 'whole');
      const started = performance.now();
      const expected = await begin(whole);
      const wholeMs = performance.now() - started;
      assert.equal(expected.code, 0, expected.stderr);
      rmSync(whole, { recursive: true });
      rounds += await killAgainAndAgain({ begin, kills, wholeMs, random, expected, dataDir: join(folder, 'killed') });
    }
    return `${count} kills over ${rounds} bootstraps of ${ACCOUNTS} accounts, folder and archive: the same digest and sums each time`;
  },
};

interface Killing {
  readonly begin: (dataDir: string, killAfterMs?: number) => ReturnType<typeof runTronicle>;
  readonly kills: number;
  readonly wholeMs: number;
  readonly random: () => number;
  readonly expected: Outcome;
  readonly dataDir: string;
}

/**
 * Kills and resumes bootstraps.
 * @returns the number of completed bootstraps
 */
async function killAgainAndAgain({ begin, kills, wholeMs, random, expected, dataDir }: Killing): Promise<number> {
  let rounds = 0;
  for (let killed = 0; killed < kills; ) {
    // Each run resumes the one before, so the kills cover all steps. A completed bootstrap restarts from the beginning.
    const outcome = await begin(dataDir, 300 + random() * wholeMs * 0.6);
    if (outcome.signal === 'SIGKILL') {
      killed++;
      assert.ok(
        existsSync(join(dataDir, 'bootstrap')) || !existsSync(join(dataDir, 'log')),
        'half a folder would start',
      );
      continue;
    }
    rounds++;
    assert.equal(outcome.stdout, expected.stdout, outcome.stderr);
    rmSync(dataDir, { recursive: true });
  }
  const last = await begin(dataDir);
  assert.equal(last.stdout, expected.stdout, last.stderr);
  const verified = await runTronicle(['verify', '-d', dataDir]);
  assert.equal(verified.code, 0, verified.stderr);
  rmSync(dataDir, { recursive: true });
  return rounds + 1;
}
