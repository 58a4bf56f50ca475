import { spawn } from 'node:child_process';
import { FaultyCopy } from '../support/faulty-copy.js';
import { type Mutation, mutations } from './mutations.js';

/** Files and folders that a simulation needs. */
const PARTS = [
  'src',
  'config',
  'proto',
  'test/simulation',
  'test/support/faulty-copy.ts',
  'test/reliability/random.ts',
  'package.json',
  'tsconfig.json',
];
/** Time limit of a simulation in ms. A mutation whose simulation exceeds it is considered found. */
const TIMEOUT_MS = 600_000;

/**
 * Applies each mutation to a copy of the sources, and runs the simulation there with the seeds of the mutation.
 * @returns the number of mutations that the simulation did not detect
 */
export async function mutate({
  seeds,
  only,
}: {
  seeds: number | undefined;
  only: string | undefined;
}): Promise<number> {
  const copy = new FaultyCopy(PARTS);
  let missed = 0;
  try {
    for (const mutation of mutations) {
      const { fault } = mutation;
      if (only !== undefined && !fault.includes(only)) continue;
      const args = [...seedsOf(mutation, seeds), '--until-failure'];
      const failure = await copy.with(mutation, () => firstFailure(copy.folder, args));
      if (failure === undefined) missed++;
      console.log(failure === undefined ? `NOT FOUND: ${fault}` : `found: ${fault}; ${failure}`);
    }
  } finally {
    copy.remove();
  }
  return missed;
}

/**
 * Returns the arguments that select the seeds or the scenario of a mutation.
 * @param seeds number of seeds, from seed 1; undefined to run only the seed in the table
 */
function seedsOf({ by }: Mutation, seeds: number | undefined): readonly string[] {
  if (typeof by === 'string') return ['--scenario', by];
  return seeds === undefined ? ['--from', String(by), '--seeds', '1'] : ['--seeds', String(seeds)];
}

function firstFailure(folder: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/simulation/run.ts', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
    child.on('close', (code, signal) => {
      const line = output.split('\n').find((one) => one.includes(' FAILED '));
      if (line !== undefined) resolve(line);
      else if (code === 0) resolve(undefined);
      else if (signal !== null) resolve('the simulation exceeds the time limit');
      else reject(new Error(`the simulation did not start: ${output.slice(-500)}`));
    });
  });
}
