import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { golden, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

export const replayAgain: Measurement = {
  title: 'reaches the digest of the live run in a replay from genesis',
  gate: 3,
  night: 3,
  async run({ count, folder }) {
    const chains = ['system-tour', 'system-modern', 'tvm-forks-14-shanghai'].slice(0, count);
    for (const name of chains) {
      const config = join(golden, name, 'config.conf');
      const data = join(folder, name);
      assert.equal(
        (await runTronicle(['import', join(golden, name, 'blocks.ndjson.gz'), '-c', config, '-d', data])).code,
        0,
      );
      const before = JSON.parse((await runTronicle(['status', '-d', data])).stdout) as { digest: string };
      // Deletes the state, so that a replay must execute the blocks.
      rmSync(join(data, 'state'), { recursive: true });
      const after = JSON.parse((await runTronicle(['replay', '-c', config, '-d', data])).stdout) as { digest: string };
      assert.equal(after.digest, before.digest, name);
      const verified = await runTronicle(['verify', '-d', data]);
      assert.equal(verified.code, 0, `${name}: ${verified.stderr}`);
    }
    return `${chains.join(', ')}: equal`;
  },
};
