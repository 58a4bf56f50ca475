import type { IdleClock } from '../peers/idle-clock.js';
import type { PeerSet } from '../peers/peer-set.js';
import { isFarAhead } from './blocks-ahead.js';
import type { QueuedBlocks } from './queued-blocks.js';

/**
 * Time in ms without a new block, after which queued blocks are executed without further waiting. Two batches of
 * signature verification take this time.
 */
const GATHER_MS = 50;

interface ExecutionSlicesOptions {
  readonly queued: QueuedBlocks;
  readonly peers: PeerSet;
  readonly waitClock: IdleClock;
  /** Returns a monotonic time, ms. */
  readonly clock: () => number;
  /** Executes queued blocks for one time slice. */
  readonly slice: () => void;
}

/**
 * Schedules the execution of synced blocks in slices of the event loop. Before execution starts, waits for some blocks,
 * so that their signatures can be verified in parallel.
 */
export class ExecutionSlices {
  private readonly options: ExecutionSlicesOptions;
  private newestReceivedMs = 0;
  private isScheduled = false;
  private isClosed = false;
  private gathering: NodeJS.Timeout | undefined;

  constructor(options: ExecutionSlicesOptions) {
    this.options = options;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.gathering);
  }

  /** Called when a block arrived. */
  blockReceived(): void {
    this.newestReceivedMs = this.options.clock();
    this.schedule();
  }

  /** Schedules the execution: immediately, or when enough blocks have arrived. */
  schedule(): void {
    if (this.isScheduled || this.isClosed || this.options.queued.size === 0) return;
    if (this.gathers) {
      this.gathering ??= setTimeout(() => {
        this.gathering = undefined;
        this.schedule();
      }, GATHER_MS);
      return;
    }
    this.isScheduled = true;
    setImmediate(() => this.turn());
  }

  /**
   * True if execution should wait for more blocks. With few blocks, this thread recovers the signatures itself, which
   * takes three times as long as a parallel batch. Waiting does not slow down a sync, because blocks arrive faster than
   * they are executed. Always false without an open request for synced blocks.
   */
  get gathers(): boolean {
    const { queued, peers, clock } = this.options;
    const { size: blocks, transactions } = queued;
    if (isFarAhead({ blocks, transactions }) || clock() - this.newestReceivedMs >= GATHER_MS) return false;
    return peers.active().some(({ syncRequests }) => syncRequests.size > 0);
  }

  private turn(): void {
    this.isScheduled = false;
    if (!this.isClosed) this.options.waitClock.during(() => this.options.slice());
  }
}
