import type { IdleClock } from '../peers/idle-clock.js';
import type { PeerSet } from '../peers/peer-set.js';
import { isFarAhead } from './blocks-ahead.js';
import type { QueuedBlocks } from './queued-blocks.js';

/**
 * ms without a block from anybody after which those that wait are executed, however few they are: two proofs' worth.
 */
const GATHER_MS = 50;

interface ExecutionTurnsOptions {
  readonly waiting: QueuedBlocks;
  readonly peers: PeerSet;
  readonly waitClock: IdleClock;
  /** ms; only differences mean something. */
  readonly clock: () => number;
  /** Executes some of what waits. */
  readonly slice: () => void;
}

/**
 * When blocks of a sync are executed: in turns of the event loop, between which others have theirs, and behind some
 * that are read first.
 */
export class ExecutionSlices {
  private readonly options: ExecutionTurnsOptions;
  private newestCameMs = 0;
  private isScheduled = false;
  private isClosed = false;
  private gathering: NodeJS.Timeout | undefined;

  constructor(options: ExecutionTurnsOptions) {
    this.options = options;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.gathering);
  }

  /** A block came. */
  blockCame(): void {
    this.newestCameMs = this.options.clock();
    this.schedule();
  }

  /** Something waits that may be executed: now, or when enough of it does. */
  schedule(): void {
    if (this.isScheduled || this.isClosed || this.options.waiting.size === 0) return;
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
   * More blocks are read first: they come faster than they are executed, and signatures of one that is executed as it
   * comes are recovered by the thread that executes, which takes three times as long as a proof beside it. Who is in
   * step asks for few blocks, and has them all.
   */
  get gathers(): boolean {
    const { waiting, peers, clock } = this.options;
    const { size: blocks, transactions } = waiting;
    if (isFarAhead({ blocks, transactions }) || clock() - this.newestCameMs >= GATHER_MS) return false;
    return peers.active().some(({ syncRequests }) => syncRequests.size > 0);
  }

  private turn(): void {
    this.isScheduled = false;
    if (!this.isClosed) this.options.waitClock.during(() => this.options.slice());
  }
}
