import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));
const probe = new URL('./run-probe.mjs', import.meta.url).href;
/** Interval of measurements of the memory, in ms. */
const POLL_MS = 50;

/** Resources that a command has used from its start to its end. */
export interface MeasuredCommand {
  readonly seconds: number;
  /** CPU time of all threads, in ms. */
  readonly processorMs: number;
  /** Time in which garbage collection blocked the main thread, in ms. */
  readonly garbageMs: number;
  readonly anonymousMiB: number;
  readonly stdout: string;
}

/** Runs the compiled command to its end. @throws {Error} the command failed */
export async function measuredCommand(args: readonly string[]): Promise<MeasuredCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-probe-'));
  const file = join(folder, 'probe.json');
  try {
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', probe, main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BENCH_PROBE: file },
    });
    let [stdout, stderr, anonymousMiB] = ['', '', 0];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr = `${stderr}${chunk}`.slice(-2000);
    });
    const timer = setInterval(() => {
      anonymousMiB = Math.max(anonymousMiB, readAnonymousMiB(child.pid));
    }, POLL_MS);
    const code = await new Promise((resolve) => child.on('close', resolve));
    const seconds = (performance.now() - started) / 1000;
    clearInterval(timer);
    if (code !== 0) throw new Error(`tronicle ${args.join(' ')} ended with ${code}: ${stderr}`);
    const used = JSON.parse(readFileSync(file, 'utf8')) as Pick<MeasuredCommand, 'garbageMs' | 'processorMs'>;
    return { seconds, ...used, anonymousMiB, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run of a command on a data folder. */
export interface TimedRun extends MeasuredCommand {
  /** Growth of the data folder, in bytes. */
  readonly bytes: number;
  /** Growth of the log, in bytes. It is in proportion to the blocks, unlike the growth of the state file. */
  readonly logBytes: number;
}

/**
 * Runs the compiled command on a new data folder.
 * @param args arguments without the folder
 * @param base data folder to start with. The command runs on a copy, and the size of this folder is subtracted.
 * @throws {Error} the command failed
 */
export async function timedRun(args: readonly string[], base?: string): Promise<TimedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tronicle-bench-'));
  const data = join(folder, 'data');
  try {
    if (base !== undefined) copyFolder(base, data);
    const sizes = (): number[] => [data, join(data, 'log')].map((path) => (base === undefined ? 0 : bytesIn(path)));
    const [bytesBefore = 0, logBefore = 0] = sizes();
    const measured = await measuredCommand([...args, '-d', data]);
    return { ...measured, bytes: bytesIn(data) - bytesBefore, logBytes: bytesIn(join(data, 'log')) - logBefore };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a data folder whose files may be sparse. */
export function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-r', '--sparse=always', from, to]);
}

/**
 * Returns the disk usage of the files of a folder in bytes. It can be below the file sizes, because LMDB files are
 * sparse.
 */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.blocks * 512 : 0), 0);
}

function readAnonymousMiB(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/**
 * Two positions in a chain, at a third of the transactions and at the end. Rates are measured between these positions.
 */
export interface Span {
  /** Position at which a third of the transactions are imported. */
  readonly third: Stand;
  /** Position at which all transactions are imported. */
  readonly end: Stand;
}

interface Stand {
  readonly height: number;
  readonly transactions: number;
}

/** Rates over the last two thirds of a chain. Start-up and warm-up are excluded. */
export interface Steady {
  readonly perSecond: number;
  /** Time in seconds to import the first third of the transactions, including start and end of the process. */
  readonly firstSeconds: number;
  /** CPU time of all processors per transaction, in ms. */
  readonly processorMs: number;
  /** Growth of the log per transaction, in bytes. */
  readonly logBytes: number;
  /** Share of the time in which garbage collection blocks the main thread. */
  readonly garbageShare: number;
  readonly whole: TimedRun;
}

/**
 * Number of rounds. Each round imports the first third and the whole chain. The best time of each is used, because
 * other work on the machine can only make a run slower.
 */
const ROUNDS = 2;

/** Measures the import of a chain in several rounds. @param run imports the chain up to a height */
export async function measureSteady({ third, end }: Span, run: (height: number) => Promise<TimedRun>): Promise<Steady> {
  const parts: TimedRun[] = [];
  const wholes: TimedRun[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    parts.push(await run(third.height));
    wholes.push(await run(end.height));
  }
  const [part, whole] = [best(parts), best(wholes)];
  const transactions = end.transactions - third.transactions;
  const seconds = whole.seconds - part.seconds;
  return {
    perSecond: transactions / seconds,
    firstSeconds: part.seconds,
    processorMs: (whole.processorMs - part.processorMs) / transactions,
    logBytes: (whole.logBytes - part.logBytes) / transactions,
    garbageShare: whole.garbageMs / (whole.seconds * 1000),
    whole,
  };
}

function best(runs: readonly TimedRun[]): TimedRun {
  return runs.reduce((best, run) => (run.seconds < best.seconds ? run : best));
}
