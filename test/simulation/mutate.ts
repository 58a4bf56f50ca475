import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutation, mutations } from './mutations.js';

const root = join(import.meta.dirname, '../..');
/** A simulation that does not end is found, too. */
const TIMEOUT_MS = 600_000;

/** Runs the seeds of each mutation in a copy of the sources. @returns how many were not found */
export async function mutate({
  seeds,
  only,
}: {
  seeds: number | undefined;
  only: string | undefined;
}): Promise<number> {
  let missed = 0;
  for (const mutation of mutations) {
    if (only !== undefined && !mutation.what.includes(only)) continue;
    const found = await find(mutation, seeds);
    if (found === undefined) missed++;
    console.log(
      `${found === undefined ? 'NOT FOUND' : 'found'}: ${mutation.what}${found === undefined ? '' : `; ${found}`}`,
    );
  }
  return missed;
}

/** @param seeds number of seeds from 1 on; undefined: only the one of the table. Scenes run in any case. */
async function find(mutation: Mutation, seeds: number | undefined): Promise<string | undefined> {
  const copy = mkdtempSync(join(tmpdir(), 'tronicle-mutation-'));
  try {
    for (const part of [
      'src',
      'config',
      'proto',
      'test/simulation',
      'test/reliability/random.ts',
      'package.json',
      'tsconfig.json',
    ])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const file = join(copy, mutation.file);
    const text = readFileSync(file, 'utf8');
    if (text.split(mutation.from).length !== 2)
      throw new Error(`${mutation.file} does not hold once: ${mutation.from}`);
    writeFileSync(
      file,
      text.replace(mutation.from, () => mutation.to),
    );
    return await firstFailure(copy, [...askedOf(mutation, seeds), '--until-failure']);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function askedOf({ by }: Mutation, seeds: number | undefined): readonly string[] {
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
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (told += text));
    child.on('close', (code, signal) => {
      const line = told.split('\n').find((one) => one.includes(' FAILED '));
      if (line !== undefined) resolve(line);
      else if (code === 0) resolve(undefined);
      else if (signal !== null) resolve('it does not end');
      else reject(new Error(`no simulation: ${told.slice(-500)}`));
    });
  });
}
