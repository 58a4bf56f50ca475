import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Report, replaySession } from './replay-session.js';

/** `npm run conformance -- [folder] [--only name,…] [--verbose n]`: replays every recorded chain and counts differences. */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const folder = resolve(args.find((arg, at) => !arg.startsWith('--') && !args[at - 1]?.startsWith('--')) ?? '../shared/golden');
if (!existsSync(folder)) {
  console.error(`No recordings at ${folder}: name their folder, npm run conformance -- <folder>.`);
  process.exit(1);
}
const only = option('--only')?.split(',');
let verbose = Number(option('--verbose') ?? 3);

const chains = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'blocks.ndjson.gz')));
const reports: Report[] = [];
for (const name of chains.sort()) {
  if (only !== undefined && !only.includes(name)) continue;
  let shown = 0;
  const started = Date.now();
  const report = await replaySession(join(folder, name), name, (text) => {
    if (shown++ < verbose) console.log(`${name}: ${text}`);
  });
  reports.push(report);
  console.log(`${name}: ${report.operations} operations, ${report.differing} differing (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
const failed = reports.filter(({ differing }) => differing > 0).length;
console.log(`${reports.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
