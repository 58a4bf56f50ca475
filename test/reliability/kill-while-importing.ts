import assert from 'node:assert/strict';
import { join } from 'node:path';
import { golden, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const chain = join(golden, 'system-tour');
const config = join(chain, 'config.conf');
const blocks = join(chain, 'blocks.ndjson.gz');

/** Maximum duration of an import of the chain without a kill, in ms. */
const RUN_MS = 4000;

export const killWhileImporting: Measurement = {
  title: 'survives kill -9 at random times of an import',
  gate: 50,
  night: 1000,
  async run({ count, folder, random }) {
    const undisturbed = join(folder, 'undisturbed');
    assert.equal((await runTronicle(['import', blocks, '-c', config, '-d', undisturbed])).code, 0);
    const { digest } = await statusOf(undisturbed);
    let data = join(folder, 'data-0');
    let head = 0;
    let rounds = 0;
    let hits = 0;
    for (let kill = 0; kill < count; kill++) {
      await runTronicle(['import', blocks, '-c', config, '-d', data], { killAfterMs: 200 + random() * RUN_MS });
      const status = await statusOf(data).catch(() => ({ head: 0, digest: '' }));
      assert.ok(status.head >= head, `after kill ${kill} the head fell from ${head} to ${status.head}`);
      if (status.head > head) hits++;
      head = status.head;
      if (status.digest === digest) {
        rounds++;
        head = 0;
        data = join(folder, `data-${rounds}`);
      }
    }
    assert.equal((await runTronicle(['import', blocks, '-c', config, '-d', data])).code, 0);
    assert.equal((await statusOf(data)).digest, digest);
    // A kill tests the recovery only if the import has already stored a new block. At least half of the kills must
    // meet this condition.
    assert.ok(2 * hits >= count, `only ${hits} of ${count} kills interrupted an import`);
    return `0 lost, same digest, ${hits} kills interrupted an import, ${rounds} imports completed`;
  },
};

async function statusOf(data: string): Promise<{ head: number; digest: string }> {
  return JSON.parse((await runTronicle(['status', '-d', data])).stdout);
}
