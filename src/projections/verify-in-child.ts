import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DamageError } from '../log/domain/errors.js';
import type { VerifyAnswer } from './verify-child.js';
import type { VerifyReport } from './verify-ledger.js';

/** Up to this size of both data files together a start waits for the full read. */
const FULL_CHECK_BYTES_MAX = 4 * 1024 * 1024 * 1024;

/**
 * Runs the full check in a process of its own: whatever a damaged file does to it, this process lives and can say so. `log` leaves
 * the state out.
 * @throws {DamageError} also when the child ends without an answer.
 */
export async function verifyInChild(dataDir: string, part: 'log' | 'all' = 'all'): Promise<VerifyReport> {
  const program = fileURLToPath(import.meta.url.replace(/verify-in-child(\.[jt]s)$/, 'verify-child$1'));
  const options = process.execArgv.filter(
    (option) => !option.startsWith('--inspect') && !option.startsWith('--cpu-prof'),
  );
  const child = spawn(process.execPath, [...options, program, dataDir, part], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-2000);
  });
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const answer = parse(output);
  if (answer === undefined) {
    throw new DamageError(
      `${dataDir} could not be checked, the check ended with ${end}; rebuild the state with 'tronicle replay', or the log with ` +
        `'tronicle export --until <last intact block>' and 'tronicle import' into a new folder. ${errors.trim()}`,
    );
  }
  if ('damage' in answer) throw new DamageError(answer.damage);
  return answer.report;
}

/** Whether a start should wait for {@link verifyInChild}, or let it run beside. */
export function isSmallEnoughToWait(dataDir: string): boolean {
  const bytes = ['log', 'state'].map(
    (folder) => statSync(join(dataDir, folder, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0,
  );
  return bytes.reduce((sum, size) => sum + size, 0) <= FULL_CHECK_BYTES_MAX;
}

function parse(output: string): VerifyAnswer | undefined {
  try {
    return JSON.parse(output) as VerifyAnswer;
  } catch {
    return undefined;
  }
}
