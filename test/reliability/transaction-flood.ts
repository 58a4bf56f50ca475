import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './run.js';
import { anonymousBytes } from './support/anonymous-memory.js';
import { NO_RATE_LIMITS, RunningNode } from './support/running-node.js';
import type { TransactionsSent } from './support/transaction-flood-child.js';

const child = fileURLToPath(new URL('./support/transaction-flood-child.ts', import.meta.url));
const CLIENTS = 64;
const SLOT_MS = 3000;
/**
 * Limit of pending transactions. It is far below the default, because a busy machine cannot receive the 2,000
 * transactions of the default limit in one slot. The number of pending transactions can exceed the limit by one per
 * client.
 */
const PENDING_MAX = 50;
const GROWTH_MIB_MAX = 256;
const POLL_MS = 100;
const MIB = 1024 * 1024;
/** Maximum time in ms after the flood until the pending transactions are in blocks. */
const DRAIN_MS = 120_000;
const LIMITS = `${NO_RATE_LIMITS}
node.maxTransactionPendingSize = ${PENDING_MAX}`;

interface Block {
  readonly block_header: { readonly raw_data: { readonly number?: number; readonly timestamp: number } };
  readonly transactions?: readonly { readonly txID: string }[];
}

/** Sends more valid transactions to a producing node than its mempool can store. */
export const transactionFlood: Measurement = {
  title: `produces each block under ${CLIENTS} clients that send valid transactions`,
  gate: 20,
  night: 600,
  async run({ count: seconds, folder, random }) {
    const node = await RunningNode.start(join(folder, 'node'), LIMITS);
    const request = async <T>(path: string, body: object = {}): Promise<T> => {
      const url = `http://127.0.0.1:${node.ports.http}/wallet/${path}`;
      return (await (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()) as T;
    };
    const pending = async (): Promise<number> => (await request<{ pendingSize: number }>('getpendingsize')).pendingSize;
    try {
      const first = await node.height();
      const before = anonymousBytes(node.process.pid);
      let [most, pendingMost, isOver] = [before, 0, false];
      const flood = sendTransactions([node.ports.http, seconds, CLIENTS, Math.floor(random() * MIB)]);
      void flood.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        pendingMost = Math.max(pendingMost, await pending());
        most = Math.max(most, anonymousBytes(node.process.pid));
        await sleep(POLL_MS);
      }
      const { answers, accepted, strange } = await flood;
      for (const limit = Date.now() + DRAIN_MS; (await pending()) > 0; await sleep(SLOT_MS))
        assert.ok(Date.now() < limit, 'transactions are still pending');
      const last = await node.height();
      const missing = new Set(accepted);
      const sizes: number[] = [];
      let earlier: Block | undefined;
      let missed = 0;
      for (let num = first; num <= last; num++) {
        const block = await request<Block>('getblockbynum', { num });
        const time = block.block_header.raw_data.timestamp;
        missed += earlier === undefined ? 0 : (time - earlier.block_header.raw_data.timestamp) / SLOT_MS - 1;
        for (const { txID } of block.transactions ?? []) missing.delete(txID);
        sizes.push(block.transactions?.length ?? 0);
        earlier = block;
      }
      const growth = (most - before) / MIB;
      const figures =
        `${Object.entries(answers)
          .map(([code, times]) => `${code} ${times}`)
          .join(', ')}; ${last - first} blocks, ` +
        `${missed} slots missed, at most ${Math.max(...sizes)} transactions in a block, at most ${pendingMost} pending, ` +
        `${missing.size} of ${accepted.length} accepted ones lost; memory ${growth.toFixed(0)} MiB more, ${node.memoryPeak()}`;
      assert.deepEqual(strange, [], figures);
      assert.equal(missed, 0, figures);
      assert.equal(missing.size, 0, figures);
      assert.ok(pendingMost <= PENDING_MAX + CLIENTS + 1, figures);
      assert.ok((answers['SERVER_BUSY'] ?? 0) > 0, `the mempool was never full: ${figures}`);
      assert.ok(growth < GROWTH_MIB_MAX, figures);
      return figures;
    } finally {
      await node.stop();
    }
  },
};

/** Runs the child process that sends transactions. Returns its result. */
async function sendTransactions(args: readonly number[]): Promise<TransactionsSent> {
  const running = spawn(process.execPath, [...process.execArgv, child, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of running.stdout) output += chunk;
  return JSON.parse(output) as TransactionsSent; // Cast: the child process prints this type.
}
