import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { enterMemoryGroup, withinMemoryLimit } from './memory-limit.js';

const child = fileURLToPath(new URL('./served-ledger-child.ts', import.meta.url));

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
 */
export async function startServedLedger(dataDir: string, transactions: number, memoBytes: number) {
  const args = [...process.execArgv, child, dataDir, String(transactions), String(memoBytes)];
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
    /** Returns a text with the maximum memory of the process. @throws {Error} it is above the limit */
    memoryPeak: () => withinMemoryLimit(running.pid),
    end: () => running.stdin.end(),
  };
}
