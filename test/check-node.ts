import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from './support/free-port.js';
import { untilServed } from './support/until.js';

/**
 * `npm run check-node -- 24`: builds, tests and starts Tronicle with another release of Node.js. Installs that release
 * from the package registry into a temporary folder. The last line is "passed" or "failed: <step>".
 */
const root = fileURLToPath(new URL('..', import.meta.url));
/** Number of reserved ports. A private network uses fewer. */
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
async function check(): Promise<string | undefined> {
  const install = ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${release}`];
  if (!runStep('install', 'npm', install)) return 'install';
  const node = join(folder, 'node_modules/node/bin/node');
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  console.log(`Node.js ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);
  for (const [step, ...args] of [
    ['generated code', 'proto/generate.mjs'],
    ['build', 'src/build.mjs'],
    ['unit tests', 'test/unit.mjs'],
    ['conformance', 'test/file-runs.mjs', 'test/conformance/'],
  ] as const) {
    if (!runStep(step, node, args, env)) return step;
  }
  return (await startNetwork(node, env)) ? undefined : 'private network';
}

/** Runs a program and prints a line. Prints the output of the program if it fails. */
function runStep(step: string, command: string, args: readonly string[], env = process.env): boolean {
  const started = performance.now();
  const options = { cwd: root, env, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  printStep(step, status === 0, started);
  return status === 0;
}

/** Starts a private network, requests the newest block, and stops the network. */
async function startNetwork(node: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const started = performance.now();
  const base = await freePorts(PORTS);
  const args = ['dist/node/main.js', 'devnet', '--data', join(folder, 'network'), '--port-base', String(base)];
  const child = spawn(node, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  // The full node's HTTP port is the first one.
  const answered = await untilServed('the newest block', async () => {
    const answer = await fetch(`http://127.0.0.1:${base}/wallet/getnowblock`);
    return 'blockID' in ((await answer.json()) as object);
  }).catch(() => false);
  child.kill('SIGTERM');
  const isGood = (await ended) === 0 && answered;
  if (!isGood) console.log(output);
  printStep('private network', isGood, started);
  return isGood;
}

function printStep(step: string, isGood: boolean, started: number): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${step} (${seconds} s)`);
}
