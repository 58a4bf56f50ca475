import type { Logger } from 'pino';
import type { BlockLog } from '../../log/block-log.js';
import { present } from '../../primitives/assert.js';
import type { Position } from './ledger-types.js';

/** Number of pruned blocks between two log lines. */
const BLOCKS_PER_LOG_LINE = 10_000;

interface LogPrunerOptions {
  readonly blocks: BlockLog;
  /** Number of blocks whose entries stay in the log. */
  readonly retention: number | 'all';
  readonly log: Logger;
}

/** Limits up to which entries may be pruned. */
interface PruneLimits {
  /** Height up to which `changes` records were deleted. Only blocks up to this height may be pruned. */
  readonly keptHeight: number;
  /** Entries above this seq must not be pruned: a reader needs them, or the stored state does not include them yet. */
  readonly seq: number;
}

/**
 * Prunes the oldest blocks of a log beyond `tronicle.log.retention`, a few blocks with each commit. A block is pruned
 * only if it is below the newest solidified block and no reader needs it.
 */
export class LogPruner {
  private readonly options: LogPrunerOptions;

  constructor(options: LogPrunerOptions) {
    this.options = options;
  }

  /**
   * Marks up to `count` blocks for deletion. The next commit of the log deletes them. @returns true if any block is
   * marked
   */
  cut(count: number, { headNumber, solidifiedNumber }: Position, { keptHeight, seq }: PruneLimits): boolean {
    const { blocks, retention } = this.options;
    if (retention === 'all') return false;
    const start = blocks.start.number;
    let last = Math.min(headNumber - retention, solidifiedNumber - 1, keptHeight, start + count);
    while (last > start && present(blocks.index.heightRow(last), 'every height of the log has a row').seq > seq) last--;
    if (last <= start) return false;
    this.logProgress(start, last);
    blocks.start.moveTo(last);
    return true;
  }

  private logProgress(from: number, to: number): void {
    const { blocks, log } = this.options;
    const isFirst = blocks.start.cut === undefined;
    if (!isFirst && Math.floor(to / BLOCKS_PER_LOG_LINE) === Math.floor(from / BLOCKS_PER_LOG_LINE)) return;
    log.info({ prunedUpTo: to }, 'log pruned');
  }
}
