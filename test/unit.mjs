// `npm run test:unit` runs the tests in test/unit and test/architecture, which need no program except Node.js. Arguments
// select files by a part of their path: `npm run test:unit -- frames vm/opcodes`. The last line of output is
// "N passed, N failed".
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from '../deploy/prepare.mjs';
import { readUnitReport } from './tap-report.mjs';

const FOLDERS = ['test/unit', 'test/architecture'];
/** Time limit of a process, in ms. All files together take less than two minutes on a quiet machine. */
const TIMEOUT_MS = 900_000;

/** Runs unit tests in one process per core. @returns the result of each file */
export async function runUnitFiles(files) {
  const processes = Math.min(availableParallelism(), files.length);
  const lots = Array.from({ length: processes }, (_, lot) => files.filter((_file, at) => at % processes === lot));
  return (await Promise.all(lots.map(runLot))).flat();
}

/** Returns the unit tests whose path contains one of the names. Without names, returns all. */
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
      // Disables tap's time limit of 30 s, because one process runs many files.
      env: { ...process.env, TAP_TIMEOUT: '0' },
      timeout: TIMEOUT_MS,
    });
    const report = [];
    const errors = [];
    child.stdout.on('data', (part) => report.push(part));
    child.stderr.on('data', (part) => errors.push(part));
    child.once('close', (code, signal) => {
      const end = `the process of these tests exited with ${signal ?? code}\n${Buffer.concat(errors).toString('utf8').slice(-4000)}`;
      done(readUnitReport(Buffer.concat(report).toString('utf8'), { files, isWhole: code === 0, end }));
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  prepare();
  const files = unitFiles(process.argv.slice(2));
  const results = await runUnitFiles(files);
  for (const { name, failures } of results.filter(({ isGood }) => !isGood))
    console.log(`${name} failed:\n${failures.join('\n')}`);
  const sum = (of) => results.reduce((total, result) => total + result[of], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
}
