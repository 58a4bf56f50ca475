import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasBlocks, reconcileRecording } from './reconcile-recording.js';
import { flagsOf } from './recording.js';
import { hasConstantFile, replayConstant } from './replay-constant.js';
import { hasDriveFiles, replayDrive } from './replay-drive.js';
import { hasEventFiles, replayEvents } from './replay-events.js';
import { hasHttpFile, replayHttp } from './replay-http.js';
import { hasJavaData, replayJavaData } from './replay-java-data.js';
import { hasRpcFiles, replayRpc } from './replay-rpc.js';
import { type Report, replaySession } from './replay-session.js';

/**
 * Runs `npm run conformance -- [folder] [--only name,…] [--verbose n]`. It replays every recorded chain and counts
 * mismatches. `--as 4.8.2` replays only the blocks of chains without forks of an older release, as the given release.
 * `--reconcile` sums the transfer records of chains without forks and compares them with the balances.
 */
const args = process.argv.slice(2);
const option = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const folder = resolve(
  args.find((arg, at) => !arg.startsWith('--') && !args[at - 1]?.startsWith('--')) ?? '../shared/golden',
);
if (!existsSync(folder)) {
  console.error(`No recordings at ${folder}: name their folder, npm run conformance -- <folder>.`);
  process.exit(1);
}
const only = option('--only')?.split(',');
const asRelease = option('--as');
const verbose = Number(option('--verbose') ?? 3);

const chains = recordings(folder);
const reports: Report[] = [];
for (const name of chains.sort()) {
  if (only !== undefined && !only.some((prefix) => name === prefix || name.startsWith(`${prefix}/`))) continue;
  const path = join(folder, name);
  if (args.includes('--reconcile')) {
    if (hasBlocks(path) && !hasDriveFiles(path)) await run(name, reconcileRecording);
    continue;
  }
  if (asRelease !== undefined) {
    if (flagsOf(path).includes('--release')) continue;
    if (!hasDriveFiles(path)) await run(name, (at, title, say) => replaySession(at, title, say, asRelease));
    continue;
  }
  const drive = hasDriveFiles(path) ? replayDrive : replaySession;
  if (hasJavaData(path)) {
    await run(name, replayJavaData);
    continue;
  }
  await run(name, hasEventFiles(path) ? replayEvents : drive);
  if (hasConstantFile(path)) await run(`${name} constant calls`, replayConstant);
  if (hasHttpFile(path)) await run(`${name} over HTTP`, replayHttpCalls);
  if (hasRpcFiles(path)) await run(`${name} over JSON-RPC and gRPC`, replayRpc);
}

type Replay = (folder: string, name: string, onDifference: (text: string) => void) => Promise<Report>;

/** Replays one recording in one way and prints the result. */
async function run(title: string, replay: Replay): Promise<void> {
  const [name = ''] = title.split(' ');
  let shown = 0;
  const started = Date.now();
  const report = await replay(join(folder, name), title, (text) => {
    if (shown++ < verbose) console.log(`${title}: ${text}`);
  });
  reports.push(report);
  console.log(
    `${title}: ${report.operations} operations, ${report.mismatched} mismatched (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
}

async function replayHttpCalls(path: string, name: string, onDifference: (text: string) => void): Promise<Report> {
  let first: string | undefined;
  const { compared, mismatched } = await replayHttp(path, (_, text) => {
    first ??= text;
    onDifference(text);
  });
  return { name, operations: compared, mismatched, first };
}

const failed = reports.filter(({ mismatched }) => mismatched > 0).length;
console.log(`${reports.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && reports.length > 0 ? 0 : 1);

/** Returns the folders that contain a recording, up to two levels deep. */
function recordings(root: string): string[] {
  const holds = (name: string): boolean =>
    existsSync(join(root, name, 'blocks.ndjson.gz')) ||
    existsSync(join(root, name, 'state-final.json.gz')) ||
    hasDriveFiles(join(root, name)) ||
    hasJavaData(join(root, name));
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      holds(name)
        ? [name]
        : readdirSync(join(root, name))
            .map((inner) => join(name, inner))
            .filter(holds),
    );
}
