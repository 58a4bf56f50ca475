import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startTronicle } from '../support/tronicle.js';
import { untilServed } from '../support/until.js';
import type { Measurement } from './run.js';

export const stopWhileProducing: Measurement = {
  title: 'loses no block on SIGTERM during production',
  gate: 10,
  night: 100,
  async run({ count, folder, random }) {
    let slowest = 0;
    for (let round = 0; round < count; round++) {
      const child = startTronicle(['devnet', '--data', join(folder, 'devnet'), '--block-time', '50']);
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      // The status page is the last server to start.
      await untilServed('the status page', async () => (await fetch('http://127.0.0.1:8080/')).ok);
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 2000));
      const asked = Date.now();
      child.kill('SIGTERM');
      assert.equal(await ended, 0, `round ${round}`);
      slowest = Math.max(slowest, Date.now() - asked);
      assert.ok(slowest <= 10_000, `${slowest} ms`);
    }
    return `exit code 0, slowest ${slowest} ms`;
  },
};
