import { spawn } from 'node:child_process';
import { FaultyCopy } from '../../support/faulty-copy.js';
import { mutants } from './mutants.js';

/** Parts of the repository that a build and a measurement need. */
const PARTS = ['src', 'test', 'proto', 'config', 'deploy', 'package.json', 'tsconfig.json'];

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a measurement on copies of the repository. Each copy has one fault. Prints a line per fault.
 * @param options options of the measurement, such as `--count 3`
 * @returns the number of faults that the measurement did not find
 * @throws {Error} the measurement has no list of faults, or the text to replace is not in its file exactly once
 */
export async function runMutants(name: string, options: readonly string[]): Promise<number> {
  const list = mutants[name];
  if (list === undefined) throw new Error(`${name} has no mutants; add some to test/reliability/mutants/mutants.ts`);
  const copy = new FaultyCopy(PARTS);
  let survived = 0;
  try {
    for (const mutant of list) {
      const { code, output } = await copy.with(mutant, () => measure(copy.folder, [name, ...options]));
      // A measurement that finds the fault prints MISSED. After any other failure, the fault or the measurement
      // itself is wrong.
      const isFound = code !== 0 && output.includes(': MISSED ');
      if (!isFound) survived++;
      const result = isFound ? 'found' : code === 0 ? 'NOT FOUND' : 'BROKEN';
      const lines = output.trim().split('\n');
      const shown = lines.find((line) => line.includes(': MISSED ')) ?? lines.at(-1) ?? '';
      console.log(`${name}, mutant "${mutant.fault}": ${result} (${shown.slice(0, 300)})`);
    }
  } finally {
    copy.remove();
  }
  return survived;
}

/** Builds the copy in a folder and runs a measurement in it. */
async function measure(folder: string, args: readonly string[]): Promise<Ended> {
  const built = await run(folder, ['src/build.mjs']);
  if (built.code !== 0) return { code: 2, output: built.output };
  return run(folder, ['--import', 'tsx', 'test/reliability/run.ts', ...args]);
}

function run(cwd: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
