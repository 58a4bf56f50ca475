import { planOf } from '../simulation/plan.js';
import { play, scenarios } from '../simulation/scenarios.js';
import { simulate } from '../simulation/simulate.js';
import type { Measurement } from './run.js';

/** Exclusive upper limit of the first seed. */
const SEEDS = 1_000_000_000;

/**
 * Simulates networks of 5 to 27 nodes with a simulated clock. Messages are lost, delayed and reordered. There are
 * partitions, crashes, wrong clocks, duplicate witnesses, and a malicious witness. Also runs scenarios with fixed
 * steps. Prints each failing seed. `npm run simulation` prints the events of a seed.
 */
export const simulatedNetworks: Measurement = {
  title: 'detects broken guarantees in simulated networks',
  gate: 200,
  night: 20_000,
  async run({ count, random }) {
    const failed: string[] = [];
    for (const scenario of scenarios) {
      const { failure } = await play(scenario);
      if (failure !== undefined) failed.push(`${scenario.name}: ${failure.message}`);
    }
    const from = Math.floor(random() * SEEDS);
    let [blocks, reorgs, slowestMs] = [0, 0, 0];
    for (let seed = from; seed < from + count; seed++) {
      const outcome = await simulate(planOf(seed));
      blocks += outcome.blocks;
      reorgs += outcome.reorgs;
      if (outcome.failure !== undefined) failed.push(`seed ${seed}: ${outcome.failure.message}`);
      else slowestMs = Math.max(slowestMs, outcome.agreedMs);
    }
    if (failed.length > 0) throw new Error(failed.join('; '));
    const sums = `${blocks} blocks executed, ${reorgs} reorgs, heads agreed within ${slowestMs} ms`;
    return `0 of ${count} seeds from ${from} on, and of ${scenarios.length} scenarios; ${sums}`;
  },
};
