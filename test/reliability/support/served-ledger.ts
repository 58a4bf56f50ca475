import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { present } from '../../../src/primitives/assert.js';
import { cpuMsOf } from '../../support/cpu-clock.js';
import { enterMemoryGroup, withinMemoryLimit } from './memory-limit.js';

const here = fileURLToPath(new URL('../../..', import.meta.url));
const CHILD = 'test/reliability/support/served-ledger-child.ts';

interface Answer {
  readonly port: number;
  readonly head: number;
  readonly anonymousMiB: number;
  /** CPU time of the process so far, in ms. */
  readonly cpuMs: number;
}

/**
 * Starts a ledger with its GraphQL server in another process.
 * @param transactions number of transactions per block
 * @param memoBytes size of the memo in each transaction, in bytes
 * @param checkout folder of the program: this checkout, or another one
 */
export async function startServedLedger(dataDir: string, transactions: number, memoBytes: number, checkout = here) {
  const args = [...process.execArgv, join(checkout, CHILD), dataDir, String(transactions), String(memoBytes)];
  const running = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  enterMemoryGroup(running.pid);
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the node ended');
    return JSON.parse(value) as Answer;
  };
  const { port } = await next();
  return {
    port,
    /**
     * Sends a line to the child process and returns the answer. The line is a number of blocks to append, or a command.
     */
    request: (line: string): Promise<Answer> => {
      running.stdin.write(`${line}\n`);
      return next();
    },
    /** Returns the CPU time of the process so far, in ms. Older checkouts do not send it with their answers. */
    cpuMs: () => cpuMsOf(present(running.pid, 'the process runs')),
    /** Returns a text with the maximum memory of the process. @throws {Error} it is above the limit */
    memoryPeak: () => withinMemoryLimit(running.pid),
    end: () => running.stdin.end(),
  };
}
