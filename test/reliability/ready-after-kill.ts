import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { present } from '../../src/primitives/assert.js';
import { cpuMsOf } from '../support/cpu-clock.js';
import { runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';
import { type NodeSetup, RunningNode, writeNodeConfig } from './support/running-node.js';

const child = fileURLToPath(new URL('./support/grown-chain-child.ts', import.meta.url));
const SLOT_MS = 3000;
/** Number of log entries for each block of a chain with a single witness: `applied` and `solidified`. */
const ENTRIES_PER_BLOCK = 2;
/** Number of empty slots between the newest block of the prepared chain and the current time. */
const FREE_SLOTS = 1000;
const KILLS = 5;
/** Maximum time in ms until a restarted node answers. */
const READY_MS_MAX = 10_000;
/** Maximum time in ms until the node has produced another block. */
const PROGRESS_MS_MAX = 60_000;
const POLL_MS = 100;

/**
 * Kills a producing node whose log has the given number of entries while the node still builds its indexes. Measures
 * the time until the restarted node answers. The height in the answer must not be lower than before the kill.
 */
export const readyAfterKill: Measurement = {
  title: 'answers over HTTP within 10 s after kill -9',
  gate: 50_000,
  night: 1_000_000,
  async run({ count: entries, folder, random }) {
    const oldest = Date.now() - (entries / ENTRIES_PER_BLOCK + FREE_SLOTS) * SLOT_MS;
    const setup = await writeNodeConfig(join(folder, 'node'), oldest - (oldest % SLOT_MS));
    const args = ['--import', 'tsx', child, setup.file, setup.data, String(entries)];
    const grown = Number((await promisify(execFile)(process.execPath, args)).stdout);
    let { node } = await ready(setup);
    let height = grown;
    const starts: Ready[] = [];
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        height = await progressOf(node, Math.max(height, await node.height()));
        await sleep(random() * SLOT_MS);
        height = Math.max(height, await node.height());
        node.process.kill('SIGKILL');
        await node.exit;
        const started = await ready(setup);
        node = started.node;
        const now = await node.height();
        assert.ok(now >= height, `kill ${kill}: the node answered with block ${height}, after the restart with ${now}`);
        const text = shown(started);
        assert.ok(started.ownMs <= READY_MS_MAX, `kill ${kill}: ready after ${text}, expected ${READY_MS_MAX} ms`);
        starts.push(started);
      }
      await progressOf(node, height);
      assert.equal(await node.stop(), 0);
    } finally {
      // After an error, the node still runs.
      node.process.kill('SIGKILL');
    }
    const { seq } = JSON.parse((await runTronicle(['status', '-d', setup.data])).stdout) as { seq: number };
    assert.ok(seq + 1 >= entries, `the log has only ${seq + 1} entries`);
    const slowest = starts.reduce((most, start) => (start.ownMs > most.ownMs ? start : most));
    return `${seq + 1} log entries, ${KILLS} kills of a producing node, slowest start ${shown(slowest)}`;
  },
};

interface Ready {
  readonly node: RunningNode;
  /** Time from the start of the process to the first answer, in ms. */
  readonly wallMs: number;
  /** Time as in `wallMs`, without the time in which the main thread waited for a processor that other threads used. */
  readonly ownMs: number;
  /** CPU time of all threads until the first answer, in ms. */
  readonly cpuMs: number;
}

async function ready(setup: NodeSetup): Promise<Ready> {
  const startedAt = performance.now();
  const node = await RunningNode.resume(setup);
  const wallMs = performance.now() - startedAt;
  const { pid } = node.process;
  const [, waitNs = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { node, wallMs, ownMs: wallMs - waitNs / 1e6, cpuMs: cpuMsOf(present(pid, 'the node runs')) };
}

function shown({ wallMs, ownMs, cpuMs }: Ready): string {
  return `${Math.round(ownMs)} ms (with waits for a processor ${Math.round(wallMs)} ms, CPU time ${cpuMs} ms)`;
}

/** Waits until the node has a block above a height. Returns the new height. */
async function progressOf(node: RunningNode, above: number): Promise<number> {
  for (const limit = Date.now() + PROGRESS_MS_MAX; Date.now() < limit; await sleep(POLL_MS)) {
    const height = await node.height();
    if (height > above) return height;
  }
  throw new Error(`no block above ${above} within ${PROGRESS_MS_MAX / 1000} s`);
}
