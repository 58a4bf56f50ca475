import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { refuseNewerFormat } from '../../log/lmdb/log-format.js';
import { logFile } from '../../log/log-file.js';
import { DamageError } from '../../primitives/errors.js';
import type { VerifyAnswer } from './verify-child.js';
import type { VerifyReport } from './verify-ledger.js';

/**
 * Maximum total size of the two data files (log and state), in bytes, for which a start waits for the full check. A
 * check of this size takes about two seconds.
 */
const FULL_CHECK_BYTES_MAX = 256 * 1024 * 1024;

interface VerifyInChildOptions {
  /** Part of the folder to check. `log` skips the state. */
  readonly part?: 'log' | 'all';
  /** True if a running node writes to the folder. */
  readonly isWritten?: boolean;
  /** Maximum read rate in bytes per second. Default: no limit. */
  readonly rate?: number;
  /** Aborts the check and rejects the promise. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly bytes: number; readonly bytesTotal: number }) => void;
}

/**
 * Runs the full check in a child process, so that a crash caused by a damaged file does not end this process.
 * @throws {DamageError} damage found, or the child ended without a result
 * @throws {UsageError} a newer release has written the log
 */
export async function verifyInChild(
  dataDir: string,
  { part = 'all', isWritten = false, rate, signal, onProgress }: VerifyInChildOptions = {},
): Promise<VerifyReport> {
  refuseNewerFormat(logFile(dataDir));
  const program = fileURLToPath(import.meta.url.replace(/verify-in-child(\.[jt]s)$/, 'verify-child$1'));
  const options = process.execArgv.filter(
    (option) => !option.startsWith('--inspect') && !option.startsWith('--cpu-prof'),
  );
  const request = [dataDir, part, isWritten ? 'written' : 'idle', ...(rate === undefined ? [] : [String(rate)])];
  const child = spawn(process.execPath, [...options, program, ...request], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  // Ends the child process together with this process, because a check must not outlive its caller.
  const end = (): boolean => child.kill();
  process.once('exit', end);
  const answers: Exclude<VerifyAnswer, { readonly progress: object }>[] = [];
  let errors = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = parse(line);
    if (answer !== undefined && 'progress' in answer) onProgress?.(answer.progress);
    else if (answer !== undefined) answers.push(answer);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-2000);
  });
  const ending = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  process.off('exit', end);
  const [answer] = answers;
  if (answer === undefined) {
    throw new DamageError(
      `the process that checks ${dataDir} ended with ${ending}; restore a backup, or rebuild the damaged part: the state with 'tronicle replay', the log with ` +
        `'tronicle export --until <last intact block>' and 'tronicle import' into a new folder. ${errors.trim()}`,
    );
  }
  if ('damage' in answer) throw new DamageError(answer.damage);
  return answer.report;
}

/** Returns true if the data is so small that a start should wait for {@link verifyInChild}. */
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
