// `npm run check-node -- 24`: builds, tests and starts Tronicle with another release of Node.js. Installs that release
// from the package registry into a temporary folder. The last line is "passed" or "failed: <step>".
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../deploy/prepare.mjs';

/** Time in which a private network answers, in ms. */
const START_MS = 60_000;
/** Ports of a private network, as offsets from its first one (`--port-base`). */
const HTTP = 0;
/** Number of ports of a private network that must be free. */
const PORTS = 30;

const [release = '', ...others] = process.argv.slice(2);
if (!/^\d{2}(\.\d+){0,2}$/.test(release) || others.length > 0) {
  console.error('Usage: npm run check-node -- <release of Node.js, such as 24>');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tronicle-node-'));
try {
  const failed = await check();
  console.log(failed === undefined ? 'passed' : `failed: ${failed}`);
  process.exitCode = failed === undefined ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns the step that failed, if any */
async function check() {
  if (!runStep('install', 'npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${release}`]))
    return 'install';
  const node = join(folder, 'node_modules/node/bin/node');
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  console.log(`Node.js ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  for (const [step, args] of [
    ['build', ['src/build.mjs']],
    ['unit tests', ['test/unit.mjs']],
    ['conformance', ['test/file-runs.mjs', 'test/conformance/']],
  ]) {
    if (!runStep(step, node, args, env)) return step;
  }
  return (await startNetwork(node, env)) ? undefined : 'private network';
}

/** Runs a program and prints a line. Prints the output of the program if it fails. */
function runStep(step, command, args, env = process.env) {
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  printStep(step, status === 0, started);
  return status === 0;
}

/** Starts a private network, asks it for the newest block, and ends it. */
async function startNetwork(node, env) {
  const started = performance.now();
  const base = await freeBase();
  const args = ['dist/node/main.js', 'devnet', '--data', join(folder, 'network'), '--port-base', String(base)];
  const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answered = await untilAnswered(`http://127.0.0.1:${base + HTTP}/wallet/getnowblock`);
  child.kill('SIGTERM');
  const isGood = (await ended) === 0 && answered;
  if (!isGood) console.log(output);
  printStep('private network', isGood, started);
  return isGood;
}

async function untilAnswered(url) {
  for (const end = performance.now() + START_MS; performance.now() < end; await sleep(200)) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok && 'blockID' in (await answer.json())) return true;
  }
  return false;
}

/** Returns a port that is free. The ports after it are most likely free too. */
function freeBase() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(Math.min(port, 65_535 - PORTS)));
    });
  });
}

function printStep(step, isGood, started) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${step} (${seconds} s)`);
}
