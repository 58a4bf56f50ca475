import type { Chain } from '../../../chain/chain.js';
import type { ChainListener } from '../../../chain/chain-listener.js';
import type { MempoolListener } from '../../../chain/mempool.js';
import type { PendingTransaction } from '../../../chain/transaction-queue.js';
import type { WrittenRow } from '../../../projections/state/overlaid-state.js';
import type { DecodedBlock } from '../../../state-transition/block/decoded-block.js';
import type { Mark } from '../../../state-transition/state/journal.js';
import type { BlockMove, BlocksUpdate, PendingBytes, PendingUpdate } from './messages.js';

/**
 * Sends the API threads the data that only the main thread has: pending transactions with their effects, and block
 * changes. Collects updates and sends them at the end of the event loop turn, or when `report` is called. Sends a block
 * only after it is durable.
 */
export class ChainReporter {
  private readonly chain: Chain;
  private readonly send: (update: PendingUpdate | BlocksUpdate) => void;
  private readonly listener: ChainListener;
  private readonly poolListener: MempoolListener = {
    admitted: (waiting, mark) => this.admitted(waiting, mark),
    changed: () => this.changed(),
  };
  private isWhole = true;
  private isScheduled = false;
  private readonly added: PendingBytes[] = [];
  private readonly rows: WrittenRow[] = [];
  private readonly blocks: BlockMove[] = [];

  constructor(chain: Chain, send: (update: PendingUpdate | BlocksUpdate) => void) {
    this.chain = chain;
    this.send = send;
    this.listener = {
      applied: (block) => this.note(block, chain.isReorging ? 'switched' : 'applied'),
      switched: (branch) => {
        for (const block of branch) this.note(block, 'reapplied');
      },
      reverted: (block) => this.note(block, 'reverted'),
    };
    chain.listeners.add(this.listener);
    chain.mempool.listeners.add(this.poolListener);
  }

  close(): void {
    this.chain.listeners.delete(this.listener);
    this.chain.mempool.listeners.delete(this.poolListener);
  }

  /** Sends everything, for a new reader. */
  reportWhole(): void {
    this.changed();
    this.report();
  }

  report(): void {
    const { ledger, mempool, storedNumber, snapshots } = this.chain;
    const { seq } = ledger.position;
    // A block is usually durable in the turn in which it is imported. If it is not, the next turn reports it.
    if (ledger.storedSeq !== seq) {
      this.schedule();
      return;
    }
    if (this.blocks.length > 0) this.send({ kind: 'blocks', blocks: this.blocks.splice(0) });
    const update = { kind: 'waiting', seq, storedNumber, snapshotCount: snapshots.size } as const;
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

  private admitted(waiting: PendingTransaction, mark: Mark): void {
    const { mempool, state } = this.chain;
    // In a sorted queue, the new transaction may be at any position, so the whole queue is sent.
    if (mempool.pending.isSorted) this.changed();
    if (this.isWhole) return;
    this.added.push(bytesOf(waiting));
    this.rows.push(...state.writtenSince(mark));
    this.schedule();
  }

  private changed(): void {
    this.isWhole = true;
    this.added.length = 0;
    this.rows.length = 0;
    this.schedule();
  }

  private note({ id }: DecodedBlock, change: BlockMove['change']): void {
    this.blocks.push({ change, id, solidified: this.chain.solidifiedNumber });
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
