import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureBlocks } from './scale-blocks.js';
import { measureServing } from './scale-serving.js';
import { makeScaleSource, scaleChain } from './scale-source.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Interval of measurements of the command's memory, in ms. */
const SAMPLE_MS = 100;

/**
 * Runs `npm run bench -- scale [accounts…]`. Generates a data folder of java-tron with the given number of accounts and
 * related rows, and converts it by `tronicle bootstrap`. Reports rows per second of the whole command, peak anonymous
 * memory (RssAnon), and bytes on disk. Then measures blocks on this state: transfers, contract calls and delegations.
 * Then starts a node, and measures the time until it answers and the time of lists of its largest tables.
 */
export async function scaleBench(sizes: readonly number[]): Promise<void> {
  for (const accounts of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'tronicle-scale-'));
    try {
      await measure(folder, accounts);
      await measureBlocks(join(folder, 'data'), accounts);
      await measureServing(join(folder, 'data'), accounts);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function measure(folder: string, accounts: number): Promise<void> {
  const stores = await makeScaleSource(folder, accounts);
  const dataDir = join(folder, 'data');
  const started = performance.now();
  const { rows, anonBytes, cpuSeconds } = await runBootstrap(stores, dataDir);
  const seconds = (performance.now() - started) / 1000;
  const [theirs, packed, state] = [stores, join(dataDir, 'base'), join(dataDir, 'state')].map(bytesOf);
  console.log(
    `scale ${accounts} accounts: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, ` +
      `${cpuSeconds.toFixed(1)} s of processor, ` +
      `RssAnon at most ${megabytes(anonBytes)}; a row has ${(theirs! / rows).toFixed(0)} bytes in LevelDB, ` +
      `${(state! / rows).toFixed(0)} in the state, ${(packed! / rows).toFixed(0)} packed`,
  );
}

async function runBootstrap(
  stores: string,
  dataDir: string,
): Promise<{ rows: number; anonBytes: number; cpuSeconds: number }> {
  const main = join(root, 'dist', 'node', 'main.js');
  const child = spawn(
    process.execPath,
    [main, 'bootstrap', stores, '-c', join(scaleChain, 'config.conf'), '-d', dataDir],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  let anonBytes = 0;
  const timer = setInterval(() => {
    anonBytes = Math.max(anonBytes, anonBytesOf(child.pid));
  }, SAMPLE_MS);
  const before = childSeconds();
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`bootstrap ended with ${code}`);
  const { stores: found } = JSON.parse(out) as { readonly stores: Record<string, { readonly rows: number }> };
  const rows = Object.values(found).reduce((sum, store) => sum + store.rows, 0);
  return { rows, anonBytes, cpuSeconds: childSeconds() - before };
}

/**
 * Returns the CPU time of all ended child processes, in seconds. `/proc` has it in the fields cutime and cstime, in
 * ticks of 10 ms.
 */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function anonBytesOf(pid: number | undefined): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, String(name))))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
