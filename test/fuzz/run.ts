import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzzClaims } from './claims-fuzz.js';
import { type FuzzOptions, fuzz } from './fuzz-node.js';

/**
 * Runs `npx tsx test/fuzz/run.ts [--seed n] [--count n] [--protocol http|jsonrpc|grpc]`. It sends malformed requests to
 * all routes. Equal arguments result in equal requests. With `--signatures`, it instead compares batch verification of
 * mutated signatures with signature recovery.
 */
const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const seed = option('--seed', 1);
const count = option('--count', 100_000);
if (process.argv.includes('--signatures')) {
  const { claims, failures } = fuzzClaims(seed, count);
  for (const failure of failures) console.log(failure);
  console.log(`${claims} claims, ${failures.length} failures`);
  process.exit(failures.length === 0 ? 0 : 1);
}
const protocol = process.argv.includes('--protocol')
  ? (process.argv[process.argv.indexOf('--protocol') + 1] as FuzzOptions['protocol'])
  : undefined;
const dataDir = mkdtempSync(join(tmpdir(), 'tronicle-fuzz-'));
const started = performance.now();
const { requests, failed, failures, slowest, delay99_9 } = await fuzz({ dataDir, seed, count, protocol });
for (const failure of failures) console.log(failure);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${requests} requests, ${failed} failures, ${seconds} s; slowest ${slowest.ms.toFixed(1)} ms (seed ${slowest.seed}), event-loop delay p99.9 ${delay99_9.toFixed(1)} ms`,
);
rmSync(dataDir, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
