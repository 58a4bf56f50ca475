import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { itemAt } from '../../src/primitives/assert.js';
import { golden, mainFile, runTronicle } from '../support/tronicle.js';
import type { Measurement } from './run.js';

const chain = join(golden, 'system-tour');
const blocks = join(chain, 'blocks.ndjson.gz');

/** Kinds of faults of a system call: the node is killed before the call, or the call fails with an error. */
const faults = ['signal=KILL', 'error=EIO', 'error=ENOSPC'] as const;
/** System calls with which LMDB writes and flushes its files. */
const calls = ['pwrite64', 'writev', 'fdatasync'] as const;

/** Maximum number of blocks after which the writer must have flushed. */
const FLUSHED_BLOCKS = 100;
/** Number of databases that an import writes: log and state. */
const DATABASES = 2;

interface Injection {
  readonly fault: (typeof faults)[number];
  readonly call: (typeof calls)[number];
  /** Number of the system call at which the fault is injected, from 1. */
  readonly at: number;
}

/** Height up to which half of the imports start with an existing folder. Its blocks are acknowledged. */
const IMPORTED = 700;

/**
 * Injects one fault per import with `strace`, at a random write or flush of the data files. Half of the imports create
 * their folder, the others continue one. When an import ends, also with an error, a sink writes each stored block to a
 * file. These blocks are acknowledged, so they must be in the log afterwards.
 */
export const interruptedWrites: Measurement = {
  title: 'loses no block if a write or a flush of the data files is killed or refused',
  gate: 12,
  night: 600,
  async run({ count, folder, random }) {
    const imported = importOf(folder, 'imported');
    assert.equal((await imported.run(['--until', String(IMPORTED)])).code, 0);
    const undisturbed = [importOf(folder, 'new'), importOf(folder, 'continued', imported)] as const;
    const totalsByStart = await Promise.all(undisturbed.map(async (run) => totalsOf(await run.trace())));
    const { head, digest } = await undisturbed[0].status();
    const flushes = itemAt(totalsByStart, 0).get('fdatasync') ?? 0;
    const expected = DATABASES * Math.floor(head / FLUSHED_BLOCKS);
    assert.ok(flushes >= expected, `${flushes} flushes for ${head} blocks, expected at least ${expected}`);
    let interrupted = 0;
    let reached = 0;
    for (let round = 0; round < count; round++) {
      const isNew = round % 2 === 0;
      const totals = itemAt(totalsByStart, isNew ? 0 : 1);
      const possible = calls.filter((call) => (totals.get(call) ?? 0) > 0);
      const call = itemAt(possible, Math.floor(random() * possible.length));
      const at = 1 + Math.floor(random() * (totals.get(call) ?? 0));
      const fault = itemAt(faults, round % faults.length);
      const place = `round ${round}, ${fault} at ${call} ${at} of ${isNew ? 'a new' : 'an existing'} folder`;
      const disturbed = importOf(folder, `data-${round}`, isNew ? undefined : imported);
      const { code, stderr, lines } = await disturbed.trace({ fault, call, at });
      if (lines.some((line) => line.includes('INJECTED') || line.includes('killed by SIGKILL'))) reached++;
      if (code !== 0) interrupted++;
      assert.doesNotMatch(stderr, /\n {4}at |unhandled/i, `${place}: error with a stack`);
      const newest = disturbed.acknowledged().at(-1) ?? 0;
      // If no block was acknowledged, the folder may have no status.
      const status = newest === 0 ? undefined : await disturbed.status();
      assert.ok(
        (status?.head ?? 0) >= newest,
        `${place}: block ${newest} was acknowledged, the head is ${status?.head}`,
      );
      if (code === 0) assert.equal(status?.digest, digest, `${place}: ended with 0 and another digest`);
      const resumed = await disturbed.run();
      assert.equal(resumed.code, 0, `${place}: the next import ended with ${resumed.code}: ${resumed.stderr}`);
      assert.equal((await disturbed.status()).digest, digest, `${place}: another digest`);
      const all = disturbed.acknowledged();
      assert.deepEqual(
        all,
        [...all.keys()].map((index) => index + (all[0] ?? 0)),
        `${place}: the sink skips or repeats`,
      );
      assert.equal(all.at(-1), head, `${place}: the sink ends at block ${all.at(-1)}`);
      disturbed.remove();
    }
    assert.ok(reached * 2 >= count, `only ${reached} of ${count} faults were injected`);
    assert.ok(interrupted * 2 >= count, `only ${interrupted} of ${count} faults interrupted an import`);
    return `${reached} faults of ${count} injected, ${interrupted} imports interrupted; 0 blocks lost, same digest`;
  },
};

/** Returns the number of traced calls by name. */
function totalsOf({ code, stderr, lines }: Traced): ReadonlyMap<string, number> {
  assert.equal(code, 0, stderr);
  return new Map(calls.map((call) => [call, lines.filter((line) => line.includes(`${call}(`)).length]));
}

interface Traced {
  readonly code: number | null;
  readonly stderr: string;
  /** Output lines of `strace`. */
  readonly lines: readonly string[];
}

/**
 * Returns functions that run an import. Its sink acknowledges each stored block by a line in a file.
 * @param continued import whose folder is copied first. If undefined, the import creates its folder
 */
function importOf(folder: string, name: string, continued?: { readonly data: string }) {
  const data = join(folder, name);
  const sink = `${data}.ndjson`;
  const config = `${data}.conf`;
  const sinks = `tronicle.sinks = [ { name = ack, type = ndjson, path = "${sink}", topics = [ block ], finality = applied } ]`;
  writeFileSync(config, `${readFileSync(join(chain, 'config.conf'), 'utf8')}\n${sinks}\n`);
  if (continued !== undefined) {
    cpSync(continued.data, data, { recursive: true });
    cpSync(`${continued.data}.ndjson`, sink);
  }
  const args = ['import', blocks, '-c', config, '-d', data, '--sinks'];
  return {
    data,
    run: (more: readonly string[] = []) => runTronicle([...args, ...more]),
    remove: () => {
      rmSync(data, { recursive: true });
      rmSync(sink);
    },
    status: async () => {
      const { stdout, stderr } = await runTronicle(['status', '-d', data]);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as { head: number; digest: string };
    },
    /** Runs the import under `strace`, which traces and injects faults only for calls on the data files. */
    trace: async (injection?: Injection): Promise<Traced> => {
      const trace = `${data}.strace`;
      const files = ['log', 'state'].flatMap((database) => ['-P', join(data, database, 'data.mdb')]);
      const inject =
        injection === undefined ? [] : ['-e', `inject=${injection.call}:${injection.fault}:when=${injection.at}`];
      const options = ['-f', '-qq', '-o', trace, ...files, '-e', `trace=${calls.join(',')}`, ...inject];
      const env = { ...process.env, TRONICLE_LOG_LEVEL: 'error' };
      const ended = await promisify(execFile)('strace', [...options, process.execPath, mainFile, ...args], {
        env,
      }).then(
        ({ stderr }) => ({ code: 0, stderr }),
        (error: { code: number | string | null; stderr: string }) => {
          if (error.code === 'ENOENT') throw new Error('this measurement needs strace');
          // The code is null if strace ended itself by the signal that killed the import.
          return { code: typeof error.code === 'number' ? error.code : null, stderr: error.stderr };
        },
      );
      return { ...ended, lines: existsSync(trace) ? readFileSync(trace, 'utf8').split('\n') : [] };
    },
    /** Returns the heights of the blocks in the file of the sink. */
    acknowledged: (): readonly number[] => {
      if (!existsSync(sink)) return [];
      const lines = readFileSync(sink, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => (JSON.parse(line) as { blockNum: number }).blockNum);
    },
  };
}
