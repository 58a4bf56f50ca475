// `npm run test:unit`: the tests below test/unit and test/architecture, without JVM, broker, browser or any program but Node.
// Names choose files: `npm run test:unit -- frames vm/contracts`. Ends with "N passed, N failed".
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from '../deploy/prepare.mjs';
import { readUnitReport } from './tap-report.mjs';

const FOLDERS = ['test/unit', 'test/architecture'];
/** A file that is not done by then hangs: all of them together take less than a minute. */
const TIMEOUT_MS = 300_000;

/** Runs unit tests in as many processes as there are cores. @returns what the reports say of each file */
export async function runUnitFiles(files) {
  const processes = Math.min(availableParallelism(), files.length);
  const lots = Array.from({ length: processes }, (_, lot) => files.filter((_file, at) => at % processes === lot));
  return (await Promise.all(lots.map(runLot))).flat();
}

/** Unit tests whose path holds one of the names; all without a name. */
export function unitFiles(names) {
  const all = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name).replaceAll('\\', '/')),
  ).sort();
  return names.length === 0 ? all : all.filter((file) => names.some((name) => file.includes(name)));
}

function runLot(files) {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/unit-files.mjs', ...files], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // tap's own bound of 30 s is meant for one file.
      env: { ...process.env, TAP_TIMEOUT: '0' },
      timeout: TIMEOUT_MS,
    });
    const report = [];
    const errors = [];
    child.stdout.on('data', (part) => report.push(part));
    child.stderr.on('data', (part) => errors.push(part));
    child.once('close', (code, signal) => {
      const end = `the process of these tests ended with ${signal ?? code}\n${Buffer.concat(errors).toString('utf8').slice(-4000)}`;
      done(readUnitReport(Buffer.concat(report).toString('utf8'), { files, isWhole: code === 0, end }));
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prepare({ hasTools: true });
  const files = unitFiles(process.argv.slice(2));
  const results = await runUnitFiles(files);
  for (const { name, failures } of results.filter(({ isGood }) => !isGood))
    console.log(`${name} failed:\n${failures.join('\n')}`);
  const sum = (of) => results.reduce((total, result) => total + result[of], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}
