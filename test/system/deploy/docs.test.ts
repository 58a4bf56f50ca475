import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runTronicle, startTronicle } from '../../support/tronicle.js';
import { untilServed } from '../../support/until.js';
import { prepareClients } from '../clients/private-network.js';
import { root } from './support/image.js';

// Tests the documents. Their samples run on the private network, the paths and commands in them exist, and their links
// have a target.

const docs = join(root, 'docs');
/** Folder of the programs of a Python environment with DuckDB, which one page needs. */
const duckdb = join(root, 'node_modules/.cache/tronicle-clients/duckdb/bin');
if (!existsSync(duckdb)) prepareClients();
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
const textOf = (page: string): string => readFileSync(join(docs, page), 'utf8');

interface Sample {
  readonly script: string;
  /** Text that the output must contain. */
  readonly expected: string;
}

/**
 * Returns the code blocks of a page that are marked `sh`, in order. The last line of a block is its expected output.
 */
function samplesOf(page: string): Sample[] {
  return [...textOf(page).matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = '', body = '']) => {
    const lines = body.split('\n').map((line) => line.slice(indent.length));
    const expected = /^# → (.+)$/.exec(lines.at(-2) ?? '')?.[1];
    if (expected === undefined) throw new Error(`${page}: a sample says nothing about its answer:\n${body}`);
    return { script: lines.slice(0, -2).join('\n'), expected };
  });
}

/**
 * Runs the samples of a page in one shell.
 * @returns the standard output of each sample that ran, and the standard error
 */
async function runSamples(samples: readonly Sample[], cwd: string): Promise<{ outputs: string[]; errors: string }> {
  const END = '%% end of sample';
  const script = ['set -euo pipefail', ...samples.map(({ script }) => `${script}\necho '${END}'`)].join('\n');
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TRONICLE: root,
      PATH: `${join(cwd, 'bin')}:${duckdb}:${process.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  const output = { out: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.errors += chunk;
  });
  await new Promise((resolve) => child.on('close', resolve));
  return { outputs: output.out.split(`${END}\n`).slice(0, -1), errors: output.errors };
}

t.test('answers every sample of the documents as documented', async (t) => {
  const cwd = temporaryFolder(t);
  const network = startTronicle(['devnet', '--data', join(cwd, 'data/devnet'), '--block-time', '200']);
  t.teardown(() => network.kill('SIGKILL'));
  network.stdout?.resume();
  network.stderr?.resume();
  mkdirSync(join(cwd, 'bin'));
  const command = join(cwd, 'bin/tronicle');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/node/main.js')}' "$@"\n`);
  chmodSync(command, 0o755);
  symlinkSync(docs, join(cwd, 'docs'));
  await untilServed('blocks that no sample waits for', async () => {
    const reply = await fetch('http://127.0.0.1:8091/walletsolidity/getnowblock', { method: 'POST', body: '{}' });
    const { block_header } = (await reply.json()) as { block_header: { raw_data: { number?: number } } };
    return (block_header.raw_data.number ?? 0) > 10 && (await fetch('http://127.0.0.1:8080/')).ok;
  });
  let count = 0;
  for (const page of pages) {
    const samples = samplesOf(page);
    if (samples.length === 0) continue;
    const { outputs, errors } = await runSamples(samples, cwd);
    for (const [at, { script, expected }] of samples.entries()) {
      const name = `${page}: ${script.split('\n', 1)}`;
      if (outputs[at] === undefined) t.fail(`${name} failed: ${errors}`);
      else t.ok(outputs[at].includes(expected), `${name} answers ${expected}, not ${outputs[at].slice(0, 500)}`);
    }
    count += samples.length;
  }
  t.ok(count >= 15, `${count} samples`);
});

t.test('finds every path and command that a document names', async (t) => {
  const { stdout } = await runTronicle(['--help']);
  const commands = new Set([...stdout.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name!));
  const folders = /^(config|deploy|docs|proto|src|test)\/[\w./-]+$/;
  for (const page of pages) {
    const text = textOf(page);
    for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
      if (folders.test(code)) t.ok(existsSync(join(root, code)), `${page}: ${code}`);
    }
    for (const [, name = ''] of text.matchAll(/(?:^ *|`)tronicle ([\w-]+)/gm))
      t.ok(commands.has(name), `${page}: ${name}`);
  }
  const ten = textOf('ten-questions.md').match(/^## (\w[\w -]*):/gm) ?? [];
  t.equal(ten.length, 10);
});

t.test('builds the site without dead links', async (t) => {
  const out = join(temporaryFolder(t), 'site');
  await promisify(execFile)('npx', ['vitepress', 'build', 'docs', '--outDir', out], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  for (const page of pages) t.ok(existsSync(join(out, page.replace(/md$/, 'html'))), page);
  t.match(readFileSync(join(out, 'configuration.html'), 'utf8'), /tronicle\.jsonrpc\.history/);
});
