import { readSeq } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { equalBytes } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';

/** Position of a transaction in the canonical chain. */
export interface TransactionLocation {
  readonly seq: number;
  readonly number: number;
  readonly index: number;
}

/**
 * Finds blocks and transactions by id. Includes blocks below the start of the log, if the bootstrap imported their
 * ids. Caches the head entry, and the block id that was last read by height, until the log changes. `head` returns
 * the same object until the head changes, so callers may use this object as a cache key.
 */
export class KnownBlocks {
  private readonly blocks: BlockLog;
  private entry: AppliedEntry | undefined;
  private entrySeq = -1;
  private id: { readonly seq: number; readonly number: number; readonly id: Uint8Array | undefined } | undefined;

  constructor(blocks: BlockLog) {
    this.blocks = blocks;
  }

  /**
   * Returns the `applied` entry of the head; undefined if the log does not contain it.
   * @param seq newest entry of the log
   * @param number height of the head
   */
  head(seq: number, number: number): AppliedEntry | undefined {
    if (this.entrySeq !== seq) {
      if (this.entry?.seq !== this.blocks.index.heightRow(number)?.seq) this.entry = this.blocks.index.block(number);
      this.entrySeq = seq;
    }
    return this.entry;
  }

  /**
   * Returns the id of the canonical block at a height; undefined if the id is unknown.
   * @param seq newest entry of the log
   */
  idAt(seq: number, number: number): Uint8Array | undefined {
    if (this.id?.seq !== seq || this.id.number !== number) {
      this.id = { seq, number, id: this.blocks.index.heightRow(number)?.id };
    }
    return this.id.id;
  }

  /**
   * Returns the height of a canonical block; undefined if the id is unknown or the content of the block is not stored.
   */
  numberOf(id: Uint8Array): number | undefined {
    // Clients send ids of any length.
    if (id.length !== WORD_BYTES) return undefined;
    const number = readSeq(id);
    const found = this.blocks.index.heightRow(number);
    if (found === undefined || !equalBytes(found.id, id)) return undefined;
    // After a bootstrap, the log may have only the id of a block below its start, without the content of the block.
    return this.blocks.index.lacks(number) ? undefined : number;
  }

  /**
   * Returns the newest `applied` entry of a block id; undefined if no entry is stored. The block may be canonical or
   * reverted.
   */
  entryOfId(id: Uint8Array): AppliedEntry | undefined {
    const seq = this.blocks.index.seqOfId(id);
    const entry = seq === undefined ? undefined : this.blocks.entryInParts(seq);
    if (entry?.kind === 'applied') return entry;
    const number = this.blocks.start.base === undefined ? undefined : this.numberOf(id);
    return number === undefined ? undefined : this.blocks.index.block(number);
  }

  /**
   * Returns the position of a canonical transaction; undefined if the id is unknown or the content of its block is not
   * stored.
   */
  transactionAt(id: Uint8Array): TransactionLocation | undefined {
    const position = this.blocks.index.transaction(id);
    return position && this.blocks.index.lacks(position.number) ? undefined : position;
  }
}
