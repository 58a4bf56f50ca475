import type { RenderedLog } from './rendered-logs.js';

/**
 * Maximum size in bytes of all retained blocks. An unread filter expires after 300 s, which is the time of 100 blocks.
 * The logs of 100 blocks of the main net need about 20 MB.
 */
const BYTES_MAX = 64 * 1024 * 1024;
/** Memory of a block without logs, and of a log without its text, in bytes (measured). */
const BLOCK_BYTES = 300;
const LOG_BYTES = 600;

/** A new or reverted block, as filters read it. */
export interface UnreadBlock {
  readonly number: number;
  /** Block id for block filters; undefined for a reverted block, which block filters do not report. */
  readonly id: string | undefined;
  /** Empty if no log filter existed when the block arrived. */
  readonly logs: readonly RenderedLog[];
}

/**
 * The newest blocks that at least one filter has not read, shared by all filters of a port. A filter stores only its
 * position. Therefore, the memory depends on the number of blocks, and not on the number of filters.
 */
export class UnreadBlocks {
  private blocks: UnreadBlock[] = [];
  private bytes = 0;
  /** Position of the oldest retained block. */
  private first = 0;

  /** Position of the next block. */
  get end(): number {
    return this.first + this.blocks.length;
  }

  /** Position of the oldest retained block. A filter with an earlier position has lost blocks. */
  get start(): number {
    return this.first;
  }

  /** Adds a block. Drops the oldest blocks if all blocks together exceed 64 MiB. */
  add(block: UnreadBlock): void {
    this.blocks.push(block);
    this.bytes += bytesOf(block);
    while (this.bytes > BYTES_MAX) this.dropBefore(this.first + 1);
  }

  /**
   * Drops the blocks before a position: blocks that all filters have read, or the oldest ones above the memory limit.
   */
  dropBefore(position: number): void {
    const count = Math.min(position, this.end) - this.first;
    if (count <= 0) return;
    for (const block of this.blocks.splice(0, count)) this.bytes -= bytesOf(block);
    this.first += count;
  }

  /** Returns the blocks from a position on. */
  from(position: number): readonly UnreadBlock[] {
    return this.blocks.slice(position - this.first);
  }
}

function bytesOf({ logs }: UnreadBlock): number {
  return logs.reduce((sum, { text }) => sum + LOG_BYTES + text.length, BLOCK_BYTES);
}
