// `npm run test:files -- <name> …` runs the test files whose path contains one of the names, except for unit tests.
// First compiles all of them together. Then runs each file in its own process, `JOBS` files at a time, and prints a
// line for each finished file.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../deploy/prepare.mjs';
import { bundleTests } from './bundle.mjs';
import { readFileReport } from './tap-report.mjs';

/** Folders whose files share one process per core; see `unit.mjs`. */
const UNIT_FOLDERS = ['unit', 'architecture'];
const LOAD_TSX = new URL('load-tsx.mjs', import.meta.url).href;
const JOBS = 2;
/** Time limit of a file, in ms. The slowest file takes two minutes if it runs alone. */
const TIMEOUT_MS = 900_000;
/** Files that need the default ports of a network, or all processors. They run alone, after the others. */
const ALONE = [
  'test/integration/node/devnet.test.ts',
  'test/system/deploy/package.test.ts',
  'test/system/deploy/docs.test.ts',
  'test/system/clients/',
];

/** Returns the test files, except for unit tests, whose path contains one of the names. Without names, returns all. */
export function otherFiles(names) {
  const all = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !UNIT_FOLDERS.includes(entry.name))
    .flatMap(({ name: folder }) =>
      readdirSync(join(root, 'test', folder), { recursive: true })
        .map((name) => `test/${folder}/${name.replaceAll('\\', '/')}`)
        .filter((name) => name.endsWith('.test.ts') && !name.includes('/node_modules/')),
    )
    .sort();
  return names.length === 0 ? all : all.filter((file) => names.some((name) => file.includes(name)));
}

/** Runs files. @param jobs number of files at a time @returns the result of each file */
export async function runFiles(files, jobs = JOBS) {
  if (files.length === 0) return [];
  const isAlone = (file) => ALONE.some((name) => file.startsWith(name));
  const bundle = await bundleTests(files);
  try {
    const beside = files.filter((file) => !isAlone(file));
    const results = await runAtOnce(beside, { jobs, bundle });
    return [...results, ...(await runAtOnce(files.filter(isAlone), { jobs: 1, bundle }))];
  } finally {
    bundle.remove();
  }
}

async function runAtOnce(files, { jobs, bundle }) {
  const waiting = [...files];
  const results = [];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      results.push(await runFile(file, bundle.fileOf(file)));
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

async function runFile(file, compiled) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', LOAD_TSX, compiled], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Disables tap's limit of 30 s for a file.
    env: { ...process.env, TAP_TIMEOUT: '0' },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const report = [];
  const errors = [];
  child.stdout.on('data', (part) => report.push(part));
  child.stderr.on('data', (part) => errors.push(part));
  const [code, signal] = await new Promise((done) => child.once('close', (...end) => done(end)));
  const end = `exited with ${signal ?? code}\n${Buffer.concat(errors).toString('utf8').slice(-4000)}`;
  const result = readFileReport(file, Buffer.concat(report).toString('utf8'), { isWhole: code === 0, end });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${result.isGood ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s  ${result.passed} passed  ${file}`);
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await runFiles(otherFiles(process.argv.slice(2)));
  for (const { failures } of results) if (failures.length > 0) console.log(failures.join('\n'));
  const sum = (of) => results.reduce((total, result) => total + result[of], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}
