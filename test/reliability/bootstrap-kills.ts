import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeScaleSource, scaleChain } from '../bench/scale.js';
import { runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const ACCOUNTS = 200_000;

/** A bootstrap killed again and again on its way ends with what one that was left alone has, and its folder is whole. */
export const bootstrapKills: Measurement = {
  title: 'a bootstrap killed on its way, begun again each time',
  gate: 10,
  night: 100,
  async run({ count, folder, random }) {
    const stores = await makeScaleSource(folder, ACCOUNTS);
    const begin = (dataDir: string, killAfterMs?: number): ReturnType<typeof runTronicle> =>
      runTronicle(
        ['bootstrap', stores, '-c', join(scaleChain, 'config.conf'), '-d', dataDir],
        killAfterMs === undefined ? {} : { killAfterMs },
      );
    const whole = join(folder, 'whole');
    const started = performance.now();
    const expected = await begin(whole);
    const wholeMs = performance.now() - started;
    assert.equal(expected.code, 0, expected.stderr);
    rmSync(whole, { recursive: true });

    const killed = join(folder, 'killed');
    let kills = 0;
    let rounds = 0;
    while (kills < count) {
      // Shares of a whole run, from what a start takes to its end: it goes on from run to run, so begin anew where it came to its end.
      const outcome = await begin(killed, 300 + random() * wholeMs * 0.3);
      if (outcome.signal === 'SIGKILL') {
        kills++;
        assert.ok(
          existsSync(join(killed, 'bootstrap')) || !existsSync(join(killed, 'log')),
          'half a folder would start',
        );
        continue;
      }
      rounds++;
      assert.equal(outcome.stdout, expected.stdout, outcome.stderr);
      rmSync(killed, { recursive: true });
    }
    const last = await begin(killed);
    assert.equal(last.stdout, expected.stdout, last.stderr);
    const verified = await runTronicle(['verify', '-d', killed]);
    assert.equal(verified.code, 0, verified.stderr);
    return `${kills} kills over ${rounds + 1} bootstraps of ${ACCOUNTS} accounts: the same digest and sums each time`;
  },
};
