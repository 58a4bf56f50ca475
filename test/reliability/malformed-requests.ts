import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type FuzzOptions, fuzz } from '../fuzz/fuzz-node.js';
import type { Measurement } from './run.js';
import { enterMemoryGroup, resetMemoryPeak, withinMemoryLimit } from './support/memory-limit.js';

/**
 * Maximum 99.9th percentile of the time for which a request blocks the event loop, in ms of CPU time. Elapsed time
 * would include the work of other processes.
 */
const BUSY_99_9_MS = 100;
const BUSY_MAX_MS = 1000;

/** Returns a measurement that sends the requests of `npm run fuzz` over one protocol. */
export function malformedRequests(protocol: NonNullable<FuzzOptions['protocol']>): Measurement {
  return {
    title: `answers malformed requests over ${protocol}`,
    gate: 100_000,
    night: 10_000_000,
    async run({ count, folder, random }) {
      enterMemoryGroup();
      resetMemoryPeak();
      const seed = Math.floor(random() * 2 ** 31);
      const report = await fuzz({ dataDir: join(folder, 'data'), seed, count, protocol });
      const { failed, failures, busiest, cpu99_9, delay99_9, delayMax } = report;
      assert.equal(failed, 0, `${failed} failures: ${failures.slice(0, 3).join('; ')}`);
      const figures =
        `0 failures; a request blocks the event loop for p99.9 ${cpu99_9.toFixed(1)} ms, max ${busiest.ms.toFixed(0)} ms of processor time ` +
        `(npm run fuzz -- --protocol ${protocol} --seed ${busiest.seed} --count 1); ` +
        `event-loop delay p99.9 ${delay99_9.toFixed(1)} ms, max ${delayMax.toFixed(0)} ms; ${withinMemoryLimit()} with the client`;
      assert.ok(cpu99_9 < BUSY_99_9_MS && busiest.ms < BUSY_MAX_MS, figures);
      return figures;
    },
  };
}
