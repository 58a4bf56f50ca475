import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './run.js';
import { RunningNode } from './support/running-node.js';

const CLIENTS = 64;
const IDLE_S = 15;
/** Maximum 99th percentile of the response time of `getnowblock`, in ms. */
const ROUTE_99_MS = 500;
/** Mean time in ms to produce and apply a block, up to which the measurement always passes. */
const BLOCK_MEAN_MS = 50;
const LOWEST_PRIORITY = 19;
const PERIODS_S = 180;
const HOUR_MS = 3_600_000;
const load = fileURLToPath(new URL('./support/endless-calls-child.ts', import.meta.url));
const DELAY = 'tronicle_event_loop_delay_seconds';

interface Figures {
  readonly answers: number;
  readonly p50: number;
  readonly p99: number;
  /** Mean time to produce and apply a block, in ms. */
  readonly blockMs: number;
  readonly blocks: number;
  /** Event-loop delays of the threads, in ms, as text. */
  readonly delays: string;
}

/** Number of calls that ended at a time or energy limit, and the texts of all other answers. */
interface FloodAnswers {
  readonly cut: number;
  readonly other: readonly string[];
}

/** Clients send calls that never end. Measures the event-loop delay of each thread of the node. */
export const endlessCalls: Measurement = {
  title: `stays responsive under ${CLIENTS} clients of endless constant calls`,
  gate: 60,
  night: 3600,
  async run({ count: seconds, folder }) {
    const node = await RunningNode.start(join(folder, 'node'), LIMITS);
    const flood = spawn(process.execPath, [...process.execArgv, load, String(node.ports.http), String(CLIENTS)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      setPriority(flood.pid!, LOWEST_PRIORITY);
      await longPeriods(node);
      const idle = await measure(node, IDLE_S);
      flood.stdin.write('\n');
      const busy = await measure(node, seconds);
      flood.stdin.end();
      const [output] = (await Promise.race([once(flood.stdout, 'data'), once(flood, 'close')])) as [unknown];
      const { cut, other } = JSON.parse(String(output)) as FloodAnswers;
      const figures =
        `${cut} calls ended at their limit; getnowblock ${busy.answers} answers, p50 ${busy.p50.toFixed(1)} p99 ${busy.p99.toFixed(1)} ms ` +
        `(idle ${idle.p50.toFixed(1)}, ${idle.p99.toFixed(1)}); ${busy.blocks} blocks, mean ${busy.blockMs.toFixed(1)} ms each (idle ${idle.blockMs.toFixed(1)}); ` +
        `event-loop delay p99.9 / max: ${busy.delays} (idle ${idle.delays}); ${node.memoryPeak()}`;
      assert.deepEqual(other, [], figures);
      assert.ok(cut > 0, `no call reached its limit: ${figures}`);
      assert.ok(busy.p99 < ROUTE_99_MS, figures);
      assert.ok(busy.blockMs < Math.max(3 * idle.blockMs, BLOCK_MEAN_MS), figures);
      // Slots are 3 s. The measurement may start or end inside a slot, so one block less is accepted.
      assert.ok(busy.blocks >= Math.floor(seconds / 3) - 1, figures);
      return figures;
    } finally {
      flood.kill('SIGKILL');
      await node.stop();
    }
  },
};

/** Configuration without rate limits per address. These limits are not measured here. */
const LIMITS = 'rate.limiter { global.qps = 100000, global.ip.qps = 100000, global.api.qps = 100000 }';

/**
 * Waits for the end of the short maintenance periods in the first minute of a private network, because maintenances
 * skip slots.
 */
async function longPeriods(node: RunningNode): Promise<void> {
  const url = `http://127.0.0.1:${node.ports.http}/wallet/getchainparameters`;
  for (let waited = 0; waited < PERIODS_S; waited++) {
    const { chainParameter } = (await (await fetch(url)).json()) as {
      chainParameter: readonly { readonly key: string; readonly value?: number }[];
    };
    if (chainParameter.some(({ key, value }) => key === 'getMaintenanceTimeInterval' && (value ?? 0) >= HOUR_MS))
      return;
    await sleep(1000);
  }
  throw new Error(`waited ${PERIODS_S} s for the first proposals`);
}

async function measure(node: RunningNode, seconds: number): Promise<Figures> {
  const before = await node.metrics();
  const first = await node.height();
  const times: number[] = [];
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(20)) {
    const started = performance.now();
    await node.height();
    times.push(performance.now() - started);
  }
  const after = await node.metrics();
  const grown = (name: string): number => sum(after, name) - sum(before, name);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  const made = grown('tron:block_generate_latency_seconds_count');
  return {
    answers: times.length,
    p50: at(0.5),
    p99: at(0.99),
    blockMs: (1000 * grown('tron:block_generate_latency_seconds_sum')) / Math.max(1, made),
    blocks: (await node.height()) - first,
    delays: ['main', 'api']
      .map((thread) => `${thread} ${delay(after, thread, '99.9')} / ${delay(after, thread, '100')} ms`)
      .join(', '),
  };
}

function sum(metrics: ReadonlyMap<string, number>, name: string): number {
  return [...metrics]
    .filter(([key]) => key === name || key.startsWith(`${name}{`))
    .reduce((total, [, value]) => total + value, 0);
}

function delay(metrics: ReadonlyMap<string, number>, thread: string, percentile: string): string {
  const found = [...metrics].find(
    ([key]) =>
      key.startsWith(DELAY) && key.includes(`thread="${thread}"`) && key.includes(`percentile="${percentile}"`),
  );
  return found === undefined ? '?' : (found[1] * 1000).toFixed(0);
}
