import type { Logger } from 'pino';
import { errorText, isStorageError } from '../../primitives/errors.js';
import { type DecodedBlock, wholeBlock } from '../../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { IdleClock } from '../peers/idle-clock.js';
import type { PeerSet } from '../peers/peer-set.js';
import { ExecutionSlices } from './execution-slices.js';
import type { QueuedBlock, QueuedBlocks } from './queued-blocks.js';

/** Time slice for block execution, in ms. */
const SLICE_MS = 30;
/** Interval in ms at which imported blocks are flushed to disk while more blocks are queued. */
const FLUSH_MS = 250;
/** Time in ms until execution continues after a block could not be stored: one slot. */
const STORAGE_RETRY_MS = 3000;

interface QueueExecutionOptions {
  readonly chain: LocalChain;
  readonly queued: QueuedBlocks;
  readonly peers: PeerSet;
  /** Called when a block was imported. */
  readonly imported: (block: DecodedBlock) => void;
  /** Called before each slice. Removes blocks that need no execution from the queue. */
  readonly prune: () => void;
  /** Called before each block. Returns true if its parent is not known anymore. The block then stays queued. */
  readonly isUnlinked: (block: EncodedBlock) => boolean;
  /** Called after each block that was removed from the queue. @param failure rejection; undefined if it is imported */
  readonly executed: (block: QueuedBlock, failure: P2pError | undefined) => void;
  readonly waitClock: IdleClock;
  readonly log: Logger;
  /** Monotonic clock in ms. It measures delays and the execution time of blocks. */
  readonly clock: () => number;
}

/** Imports the queued blocks of a sync in time slices, and flushes them to disk. */
export class QueueExecution {
  private readonly options: QueueExecutionOptions;
  private readonly slices: ExecutionSlices;
  /** Time at which the oldest block that is not flushed to disk was imported, in ms of the monotonic clock. */
  private unflushedMs: number | undefined;
  /**
   * Time until which no block is executed, because the last block could not be stored. In ms of the monotonic clock.
   */
  private storageRetryMs = 0;

  constructor(options: QueueExecutionOptions) {
    this.options = options;
    this.slices = new ExecutionSlices({ ...options, slice: () => this.slice() });
  }

  close(): void {
    this.slices.close();
  }

  /** Called when a block was added to the queue. */
  blockReceived(): void {
    this.slices.blockReceived();
  }

  /** Schedules the execution of the queued blocks. */
  schedule(): void {
    this.slices.schedule();
  }

  /** Executes queued blocks for one time slice. */
  private slice(): void {
    const { chain, prune, clock, log } = this.options;
    const started = clock();
    if (started < this.storageRetryMs) return;
    let done = 0;
    try {
      prune();
      for (let next = this.next(); next !== undefined; next = this.next()) {
        if (!this.execute(next)) {
          // An immediate retry would use the processor until the operator frees disk space.
          this.storageRetryMs = clock() + STORAGE_RETRY_MS;
          return;
        }
        done++;
        if (clock() - started > SLICE_MS || this.slices.gathers) break;
      }
      if (done > 0) this.unflushedMs ??= clock();
      const isMore = this.next() !== undefined;
      const isLate = this.unflushedMs !== undefined && clock() - this.unflushedMs > FLUSH_MS;
      if (this.unflushedMs !== undefined && (isLate || !isMore)) {
        this.unflushedMs = undefined;
        chain.flush();
      }
      if (isMore) this.slices.schedule();
    } catch (error) {
      log.error({ err: error }, 'unexpected error in the queue of synced blocks');
    }
  }

  private next(): QueuedBlock | undefined {
    return this.options.queued.nextOf(this.options.peers.active());
  }

  /**
   * Imports a queued block.
   * @returns false if the block could not be stored and stays queued; otherwise true, also for a rejected block
   */
  private execute(next: QueuedBlock): boolean {
    const { queued, isUnlinked, executed } = this.options;
    if (isUnlinked(next.block)) return true;
    queued.remove(next.block.idHex);
    const failure = this.import(next.block);
    if (failure === 'unstored') {
      queued.add(next);
      return false;
    }
    executed(next, failure);
    return true;
  }

  /**
   * Imports a block. Reference: SyncService.processSyncBlock.
   * @returns the rejection; `unstored` if the block could not be stored, or the state not be read; otherwise undefined
   */
  private import(encoded: EncodedBlock): P2pError | 'unstored' | undefined {
    const { chain, imported, log } = this.options;
    try {
      const { signatureFault } = chain.checkHeader(encoded);
      if (signatureFault !== undefined) return signatureFault;
      const block = wholeBlock(encoded);
      const pushed = chain.importBlock(block, 'synced');
      if (pushed.kind === 'refused') return pushed.error;
      if (pushed.kind === 'unstored') return 'unstored';
      imported(block);
      return undefined;
    } catch (error) {
      log.error({ err: error, num: encoded.number }, 'synced block execution failed');
      if (isStorageError(error)) return 'unstored';
      return new P2pError('BAD_BLOCK', errorText(error), { cause: error });
    }
  }
}
