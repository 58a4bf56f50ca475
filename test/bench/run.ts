import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiBench, costlyBench, floodBench } from './api-bench.js';
import { fanOutBench } from './fan-out-bench.js';
import { Figures } from './figures.js';
import { firstSyncBench } from './first-sync/first-sync.js';
import { indexBench } from './index-bench.js';
import { interfaceBench } from './interfaces/interface-bench.js';
import { microBench } from './micro-bench.js';
import { plotHistory } from './plot.js';
import { precompileBench } from './precompile-bench.js';
import { measureRecovery } from './recovery.js';
import { replayBench } from './replay-bench.js';
import { scaleBench } from './scale/scale.js';
import { snappyBench } from './snappy-bench.js';
import { streamBench } from './stream-bench.js';
import { syncBench } from './sync-bench.js';

/**
 * Figures of `npm run bench -- [folder of the recordings]`. Most figures also have a ratio to a baseline of the same
 * run, because machines differ in speed. The run appends a line to `history.ndjson`. `npm run bench --
 * snappy|import|indexes|streams|fan-out|precompiles|interfaces|machine` runs only this measurement and appends nothing.
 * `npm run bench -- scale|first-sync` runs only this measurement and also appends a line.
 */
const figures = new Figures();
// Processes that a measurement starts use the Node.js options of `npm start`, the image and the systemd unit
// (deploy/README.md, section Memory). `npm run bench` starts this process with the same options.
process.env['NODE_OPTIONS'] ??= '--max-semi-space-size=64';

if (process.argv[2] === 'scale') {
  await scaleBench(process.argv.slice(3), figures);
  figures.keep(measureRecovery());
  process.exit(0);
}

if (process.argv[2] === 'first-sync') {
  await firstSyncBench(process.argv.slice(3), figures);
  figures.keep(measureRecovery());
  process.exit(0);
}

/** Recordings, each with the kind of traffic that it represents. */
const SNAPPY_TRAFFIC = [
  ['bench-transfer', 'transfers'],
  ['bench-trc20', 'TRC20'],
  ['tour', 'mixed, of all types'],
] as const;

if (process.argv[2] === 'snappy') {
  const from = resolve(process.argv[3] ?? '../shared/golden');
  for (const [name, traffic] of SNAPPY_TRAFFIC) await snappyBench(join(from, name), traffic, figures);
  process.exit(0);
}

if (process.argv[2] === 'precompiles') {
  precompileBench(measureRecovery(), figures);
  process.exit(0);
}

if (process.argv[2] === 'import') {
  const from = resolve(process.argv[3] ?? '../shared/golden');
  const { span, perSecond } = await replayBench(join(from, 'bench-transfer'), 'bench-transfer', figures);
  await syncBench(join(from, 'bench-transfer'), span, perSecond, figures);
  await replayBench(join(from, 'bench-trc20'), 'bench-trc20', figures);
  process.exit(0);
}

if (process.argv[2] === 'indexes') {
  const from = resolve(process.argv[3] ?? '../shared/golden');
  for (const name of ['bench-transfer', 'bench-trc20']) {
    const { perSecond } = await replayBench(join(from, name), name, figures);
    await indexBench(join(from, name), name, perSecond, figures);
  }
  process.exit(0);
}

if (process.argv[2] === 'streams') {
  await streamBench(join(resolve(process.argv[3] ?? '../shared/golden'), 'bench-transfer'), figures);
  process.exit(0);
}

if (process.argv[2] === 'interfaces') {
  const from = resolve(process.argv[3] ?? '../shared/golden');
  await interfaceBench(join(from, 'bench-trc20'), figures, process.argv.slice(4));
  if (process.argv[4] === undefined) await apiBench(join(from, 'tour'), figures);
  process.exit(0);
}

if (process.argv[2] === 'fan-out') {
  await fanOutBench(figures, process.argv[3] && resolve(process.argv[3]));
  process.exit(0);
}

if (process.argv[2] === 'plot') {
  plotHistory(resolve(process.argv[3] ?? 'bench-history.svg'));
  process.exit(0);
}

if (process.argv[2] === 'machine') {
  await microBench(resolve(process.argv[3] ?? '../shared/golden'), figures);
  process.exit(0);
}

const folder = resolve(process.argv[2] ?? '../shared/golden');
if (!existsSync(folder)) {
  console.error(`No recordings at ${folder}: name their folder, npm run bench -- <folder>.`);
  process.exit(1);
}
const baseline = measureRecovery();
console.log(`baseline B: ${Math.round(baseline)} keys/s recovered by libsecp256k1 on one thread`);
// Must run first. Otherwise, the garbage collector would also scan the data of other measurements.
for (const [name, traffic] of SNAPPY_TRAFFIC) {
  if (existsSync(join(folder, name))) await snappyBench(join(folder, name), traffic, figures);
}
for (const name of ['bench-transfer', 'bench-trc20', 'bench-compute']) {
  if (!existsSync(join(folder, name))) continue;
  const { span, perSecond } = await replayBench(join(folder, name), name, figures);
  if (name === 'bench-transfer') await syncBench(join(folder, name), span, perSecond, figures);
  if (name !== 'bench-compute') await indexBench(join(folder, name), name, perSecond, figures);
}
precompileBench(baseline, figures);
if (existsSync(join(folder, 'bench-transfer'))) await streamBench(join(folder, 'bench-transfer'), figures);
if (existsSync(join(folder, 'tour'))) {
  await apiBench(join(folder, 'tour'), figures);
  await floodBench(join(folder, 'tour'), figures);
  await costlyBench(join(folder, 'tour'), figures);
}
if (existsSync(join(folder, 'bench-compute')) && existsSync(join(folder, 'bench-trc20')))
  await microBench(folder, figures);
figures.keep(baseline);
