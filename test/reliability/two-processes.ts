import assert from 'node:assert/strict';
import { join } from 'node:path';
import { golden, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

export const twoProcesses: Measurement = {
  title: 'rejects a second process on one data folder',
  gate: 20,
  night: 20,
  async run({ count, folder }) {
    const args = ['import', join(golden, 'stake', 'blocks.ndjson.gz'), '-c', join(golden, 'stake', 'config.conf')];
    for (let round = 0; round < count; round++) {
      const data = join(folder, `data-${round}`);
      const outcomes = await Promise.all([0, 1].map(() => runTronicle([...args, '-d', data])));
      assert.deepEqual(outcomes.map(({ code }) => code).sort(), [0, 1], `round ${round}`);
      // The error must be that of the lock. Without the lock, the second process could fail later, after it has
      // written.
      const refused = outcomes.find(({ code }) => code === 1);
      assert.match(refused?.stderr ?? '', /is in use by another process/, `round ${round}`);
    }
    return 'one of the processes exits with an error';
  },
};
