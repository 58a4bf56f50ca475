import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDevnet } from '../support/devnet.js';
import { untilServed } from '../support/until.js';
import type { Measurement } from './run.js';
import { enterMemoryGroup, withinMemoryLimit } from './support/memory-limit.js';
import { MixedLoad } from './support/mixed-load.js';

const preload = fileURLToPath(new URL('./support/live-memory-preload.mjs', import.meta.url));
const CLIENTS = 16;
/**
 * Time between two blocks in ms. With this time, 24 minutes of this network have as many blocks as a day of the main
 * net.
 */
const BLOCK_MS = 50;
/** Number of measurements in a run that compares the memory. */
const SAMPLES = 12;
/** Number of first samples that are not compared, because caches are still filled during this time. */
const WARM_SAMPLES = 6;
/**
 * Shortest run in seconds that compares the memory. A shorter run compares only open files and transactions, because
 * the caches of a started node grow more than a leak.
 */
const MEMORY_RUN_S = 60;
/** Number of measurements in a shorter run. Both are after equal loads, so that the same pool threads exist at both. */
const SHORT_RUN_SAMPLES = 2;
/** Pause of all clients before a measurement, in ms. In this time, the node closes the connections of the clients. */
const QUIET_MS = 3000;
const BLOCKS_PER_HOUR = 1200;
/** Maximum growth in MiB per hour of blocks. */
const GROWTH_MIB_MAX = 1;
/**
 * Maximum growth in MiB per hour of blocks, for a run that is too short to fill all caches, such as those of decoded
 * rows and of log entries.
 */
const SHORT_GROWTH_MIB_MAX = 16;
const LONG_RUN_S = 8 * 3600;
/**
 * Number of files and connections that a node may have open in addition to those of the first measurement, for example
 * while it flushes.
 */
const FILES_MARGIN = 10;
/** Time in ms after the load in which the node must close the connections of the clients: twice the idle time. */
const CLOSE_MS = 60_000;
/** Time in ms after the load in which all accepted transactions must reach the sink. */
const DRAIN_MS = 60_000;
/** Time between two checks of the sink or of the open files, in ms. */
const POLL_MS = 500;
const MIB = 1024 * 1024;

interface Sample {
  readonly height: number;
  /** Live bytes of each thread after a garbage collection, by name. */
  readonly threads: Readonly<Record<string, number>>;
  readonly files: number;
}

/** Runs all interfaces of a private network under mixed load, and measures live memory, open files and sink records. */
export const soak: Measurement = {
  title: `keeps memory and open files constant under ${CLIENTS} clients of all interfaces`,
  gate: 600,
  night: LONG_RUN_S,
  async run({ count: seconds, folder, random }) {
    const ends: (() => void | Promise<void>)[] = [];
    const memoryFile = join(folder, 'live-memory');
    const comparesMemory = seconds >= MEMORY_RUN_S;
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
      enterMemoryGroup(devnet.pid);
      const height = async (): Promise<number> => Number(await devnet.rpc<string>('eth_blockNumber'));
      const load = new MixedLoad(devnet, random);
      ends.push(() => load.close());
      await load.prepare();
      const count = comparesMemory ? SAMPLES : SHORT_RUN_SAMPLES;
      const samples: Sample[] = [];
      while (samples.length < count) {
        load.start(CLIENTS);
        await sleep((seconds * 1000) / count);
        await load.stop();
        await sleep(QUIET_MS);
        devnet.signal('SIGUSR2');
        const threads = await newestSample(memoryFile, samples.length);
        samples.push({ height: await height(), threads, files: openFiles(devnet.pid) });
      }
      const sink = join(dataDir, 'solidified.ndjson');
      const missingFrom = (lines: ReadonlyMap<string, number>) => load.accepted.filter((id) => !lines.has(id));
      for (const end = Date.now() + DRAIN_MS; missingFrom(linesById(sink)).length > 0 && Date.now() < end; )
        await sleep(POLL_MS);
      const lines = linesById(sink);
      const missing = missingFrom(lines);
      const repeated = load.accepted.filter((id) => (lines.get(id) ?? 0) > 1);
      const measured = samples.slice(comparesMemory ? WARM_SAMPLES : 0);
      const files = measured.map((sample) => sample.files);
      const filesMax = files[0]! + FILES_MARGIN;
      // A busy machine closes connections late. A leaked connection would stay open.
      for (const end = Date.now() + CLOSE_MS; files.at(-1)! > filesMax && Date.now() < end; await sleep(POLL_MS))
        files.push(openFiles(devnet.pid));
      const live = liveBytes(measured);
      const heights = measured.map((sample) => sample.height);
      const growth = comparesMemory ? (slope(heights, live) * BLOCKS_PER_HOUR) / MIB : undefined;
      const requests = Object.entries(load.counts)
        .map(([kind, times]) => `${kind} ${times}`)
        .join(', ');
      const figures =
        `${heights.at(-1)} blocks, live memory ${live.map((bytes) => (bytes / MIB).toFixed(1)).join(', ')} MiB, ` +
        `${growth?.toFixed(2) ?? 'not compared'} MiB per ${BLOCKS_PER_HOUR} blocks; open files ${files.join(', ')}; ` +
        `${missing.length} of ${load.accepted.length} accepted transactions missing in the sink, ${repeated.length} repeated; ` +
        `${withinMemoryLimit(devnet.pid)}; requests: ${requests}`;
      const growthMax = seconds < LONG_RUN_S ? SHORT_GROWTH_MIB_MAX : GROWTH_MIB_MAX;
      assert.ok(growth === undefined || growth < growthMax, figures);
      assert.ok(files.at(-1)! <= filesMax, figures);
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

/**
 * Returns the live bytes of each sample. Includes only threads that all samples contain, because pool threads end when
 * idle.
 */
function liveBytes(samples: readonly Sample[]): number[] {
  const names = Object.keys(samples[0]!.threads).filter((name) => samples.every(({ threads }) => name in threads));
  return samples.map(({ threads }) => names.reduce((sum, name) => sum + threads[name]!, 0));
}

/**
 * Returns the number of open files and sockets. Omits pipes and events, because their number changes when pool threads
 * end.
 */
function openFiles(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => /^(\/|socket:)/.test(targetOf(join(folder, name)))).length;
}

/** Returns the target of a link; an empty text if the file was closed in the meantime. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
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
