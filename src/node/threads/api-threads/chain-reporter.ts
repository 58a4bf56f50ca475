import type { Chain } from '../../../chain/chain.js';
import type { MempoolListener } from '../../../chain/mempool.js';
import type { PendingTransaction } from '../../../chain/transaction-queue.js';
import type { WrittenRow } from '../../../projections/state/overlaid-state.js';
import type { Mark } from '../../../state-transition/state/journal.js';
import type { PendingBytes, PendingUpdate } from './messages.js';

/**
 * Sends the pending transactions and their effects to the API threads. The API threads read blocks themselves, from the
 * log. Collects updates, and sends them at the end of the event loop turn or when `report` is called. Effects that were
 * computed on the state after a block are sent only after this block is durable.
 */
export class ChainReporter {
  private readonly chain: Chain;
  private readonly send: (update: PendingUpdate) => void;
  private readonly poolListener: MempoolListener = {
    admitted: (pending, mark) => this.admitted(pending, mark),
    changed: () => this.changed(),
  };
  private isWhole = true;
  private isScheduled = false;
  private readonly added: PendingBytes[] = [];
  private readonly rows: WrittenRow[] = [];

  constructor(chain: Chain, send: (update: PendingUpdate) => void) {
    this.chain = chain;
    this.send = send;
    chain.mempool.listeners.add(this.poolListener);
  }

  close(): void {
    this.chain.mempool.listeners.delete(this.poolListener);
  }

  /** Sends all pending transactions with all effects, for a new thread. */
  reportWhole(): void {
    this.changed();
    this.report();
  }

  report(): void {
    const { ledger, mempool, storedNumber, snapshots } = this.chain;
    const { seq } = ledger.position;
    // A block is usually durable in the turn in which it is imported. Otherwise, the update is sent in the next turn.
    if (ledger.storedSeq !== seq) {
      this.schedule();
      return;
    }
    const update = { seq, storedNumber, snapshotCount: snapshots.size } as const;
    if (this.isWhole) {
      const [pending, repushed] = [mempool.pending.values(), mempool.repush.values()];
      const lists = { pending: pending.map(bytesOf), repushed: repushed.map(bytesOf) };
      this.send({ ...update, isWhole: true, ...lists, rows: mempool.effects() });
    } else if (this.added.length > 0) {
      const lists = { pending: this.added.splice(0), repushed: [] };
      this.send({ ...update, isWhole: false, ...lists, rows: this.rows.splice(0) });
    }
    this.isWhole = false;
  }

  private admitted(pending: PendingTransaction, mark: Mark): void {
    const { mempool, state } = this.chain;
    // A new transaction may be at any position of a sorted queue, so the whole queue is sent.
    if (mempool.pending.isSorted) this.changed();
    if (this.isWhole) return;
    this.added.push(bytesOf(pending));
    for (const row of state.writtenSince(mark)) this.rows.push(row);
    this.schedule();
  }

  private changed(): void {
    this.isWhole = true;
    this.added.length = 0;
    this.rows.length = 0;
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.report();
    });
  }
}

function bytesOf({ transaction: { idHex, bytes } }: PendingTransaction): PendingBytes {
  return { idHex, bytes };
}
