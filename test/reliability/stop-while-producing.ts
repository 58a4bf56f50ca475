import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTronicle, startTronicle } from '../support/tronicle.js';
import { untilServed } from '../support/until.js';
import type { Measurement } from './run.js';

export const stopWhileProducing: Measurement = {
  title: 'loses no block on SIGTERM during production',
  gate: 10,
  night: 100,
  async run({ count, folder, random }) {
    let slowest = 0;
    for (let round = 0; round < count; round++) {
      const data = join(folder, 'devnet');
      const child = startTronicle(['devnet', '--data', data, '--block-time', '50', '--log-level', 'info']);
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      // Waits only for the HTTP server. The node must stop cleanly even if other servers are still starting.
      await untilServed('HTTP', async () => (await fetch('http://127.0.0.1:8090/wallet/getnowblock')).ok);
      await new Promise((resolve) => setTimeout(resolve, random() * 2000));
      const startedMs = Date.now();
      child.kill('SIGTERM');
      assert.equal(await ended, 0, `round ${round}`);
      slowest = Math.max(slowest, Date.now() - startedMs);
      assert.ok(slowest <= 10_000, `${slowest} ms`);
      const lines = logOf(data);
      const produced = Math.max(...lines.flatMap(({ msg, num }) => (msg === 'block produced' ? (num ?? 0) : [])));
      const stopped = lines.at(-1);
      assert.equal(stopped?.msg, 'node stopped', `round ${round}: the node did not close its services`);
      assert.equal(stopped.head, produced, `round ${round}: the newest produced block is not the head`);
      const { head } = JSON.parse((await runTronicle(['status', '-d', data])).stdout) as { head: number };
      assert.equal(head, produced, `round ${round}: the newest produced block is not stored`);
    }
    return `exit code 0, slowest ${slowest} ms`;
  },
};

interface LogLine {
  readonly msg: string;
  readonly num?: number;
  readonly head?: number;
}

function logOf(data: string): readonly LogLine[] {
  const lines = readFileSync(join(data, 'tronicle.log'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LogLine);
}
