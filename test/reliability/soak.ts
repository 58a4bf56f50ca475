import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDevnet } from '../support/devnet.js';
import { until, untilServed } from '../support/until.js';
import type { Measurement } from './run.js';
import { MixedLoad } from './support/mixed-load.js';

const preload = fileURLToPath(new URL('./support/live-memory-preload.mjs', import.meta.url));
const CLIENTS = 16;
/** Time between two blocks in ms. A day of the main net has as many blocks as 24 minutes of this network. */
const BLOCK_MS = 50;
/** Number of measurements of the memory. */
const SAMPLES = 12;
/** Samples that are not compared, because caches are filled during this time. */
const WARM_SAMPLES = 6;
/** Pause of all clients before a measurement, in ms. In this time, the node closes the connections of the clients. */
const QUIET_MS = 3000;
const BLOCKS_PER_HOUR = 1200;
/** Maximum growth in MiB per hour of blocks. */
const GROWTH_MIB_MAX = 1;
/** The same for a run that is too short to fill all caches, such as those of decoded rows and of log entries. */
const SHORT_GROWTH_MIB_MAX = 16;
const LONG_RUN_S = 8 * 3600;
/** Connections that the operating system has not closed yet. */
const FILES_MARGIN = 10;
const MIB = 1024 * 1024;

interface Sample {
  readonly height: number;
  /** Live bytes of each thread after a garbage collection, by name. */
  readonly threads: Readonly<Record<string, number>>;
  readonly files: number;
}

/** Runs all interfaces of a private network under mixed load, and measures whether its live memory grows. */
export const soak: Measurement = {
  title: `keeps memory and open files constant under ${CLIENTS} clients of all interfaces`,
  gate: 600,
  night: LONG_RUN_S,
  async run({ count: seconds, folder, random }) {
    const ends: (() => void | Promise<void>)[] = [];
    const memoryFile = join(folder, 'live-memory');
    process.env['LIVE_MEMORY_FILE'] = memoryFile;
    try {
      const dataDir = join(folder, 'devnet');
      const devnet = await startDevnet(
        { teardown: (end) => ends.push(end) },
        {
          blockTimeMs: BLOCK_MS,
          dataDir,
          program: { path: process.execPath, options: ['--import', preload] },
        },
      );
      const load = new MixedLoad(devnet, random);
      ends.push(() => load.close());
      await load.prepare();
      const samples: Sample[] = [];
      while (samples.length < SAMPLES) {
        load.start(CLIENTS);
        await sleep((seconds * 1000) / SAMPLES);
        await load.stop();
        await sleep(QUIET_MS);
        devnet.signal('SIGUSR2');
        const threads = await newestSample(memoryFile, samples.length);
        const height = Number(await devnet.rpc<string>('eth_blockNumber'));
        samples.push({ height, threads, files: openFiles(devnet.pid) });
      }
      await load.stop();
      const sink = join(dataDir, 'solidified.ndjson');
      const missingFrom = (lines: ReadonlyMap<string, number>) => load.accepted.filter((id) => !lines.has(id));
      // Accepted transactions may still be pending. After this time, the missing ones are counted.
      await until('the sink', () => missingFrom(linesById(sink)).length === 0).catch(() => undefined);
      const lines = linesById(sink);
      const missing = missingFrom(lines);
      const repeated = load.accepted.filter((id) => (lines.get(id) ?? 0) > 1);
      const measured = samples.slice(WARM_SAMPLES);
      const [first, last] = [measured[0]!, measured.at(-1)!];
      const live = liveBytes(measured);
      const heights = measured.map(({ height }) => height);
      const growth = (slope(heights, live) * BLOCKS_PER_HOUR) / MIB;
      const requests = Object.entries(load.counts)
        .map(([kind, times]) => `${kind} ${times}`)
        .join(', ');
      const figures =
        `${last.height} blocks, live memory ${live.map((bytes) => (bytes / MIB).toFixed(1)).join(', ')} MiB, ` +
        `${growth.toFixed(2)} MiB per ${BLOCKS_PER_HOUR} blocks; open files ${first.files} to ${last.files}; ` +
        `${missing.length} of ${load.accepted.length} accepted transactions missing in the sink, ${repeated.length} repeated; ` +
        `requests: ${requests}`;
      assert.ok(growth < (seconds < LONG_RUN_S ? SHORT_GROWTH_MIB_MAX : GROWTH_MIB_MAX), figures);
      assert.ok(last.files <= first.files + FILES_MARGIN, figures);
      assert.deepEqual([missing, repeated], [[], []], figures);
      await devnet.stop();
      return figures;
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
};

/** Waits for the next line of the file. Returns the live bytes of each thread. */
async function newestSample(file: string, known: number): Promise<Sample['threads']> {
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  await untilServed('live memory', () => Promise.resolve(lines().length > known));
  return JSON.parse(lines().at(-1)!) as Sample['threads']; // Cast: the preload writes this type.
}

/** Returns the live bytes of each sample. Includes only threads of all samples, because pool threads end when idle. */
function liveBytes(samples: readonly Sample[]): number[] {
  const names = Object.keys(samples[0]!.threads).filter((name) => samples.every(({ threads }) => name in threads));
  return samples.map(({ threads }) => names.reduce((sum, name) => sum + threads[name]!, 0));
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Returns the slope of the line through the points, by least squares. */
function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  return mean(xs.map((value, at) => (value - x) * (ys[at]! - y))) / mean(xs.map((value) => (value - x) ** 2));
}

/** Returns the number of lines of the sink by transaction id. */
function linesById(file: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [, id] of readFileSync(file, 'utf8').matchAll(/^\{"topic":"transaction","key":"(\w+)"/gm))
    lines.set(id!, (lines.get(id!) ?? 0) + 1);
  return lines;
}
