import { readSeq } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { equalBytes } from '../../primitives/bytes.js';

/** Where a transaction stands. */
export interface TransactionLocation {
  readonly seq: number;
  readonly number: number;
  readonly index: number;
}

/**
 * Blocks and transactions by their ids, also those below a base. What callers ask for most of the canonical chain is
 * looked up once for each position of the log: the head's entry, the same object each time, by which callers may keep
 * what they made of it; and the block that transactions refer to.
 */
export class KnownBlocks {
  private readonly blocks: BlockLog;
  private entry: AppliedEntry | undefined;
  private entrySeq = -1;
  private id: { readonly seq: number; readonly number: number; readonly id: Uint8Array | undefined } | undefined;

  constructor(blocks: BlockLog) {
    this.blocks = blocks;
  }

  /** @param seq newest entry of the log */
  head(seq: number, number: number): AppliedEntry | undefined {
    if (this.entrySeq !== seq) {
      if (this.entry?.seq !== this.blocks.index.heightRow(number)?.seq) this.entry = this.blocks.index.block(number);
      this.entrySeq = seq;
    }
    return this.entry;
  }

  /** @param seq newest entry of the log */
  idAt(seq: number, number: number): Uint8Array | undefined {
    if (this.id?.seq !== seq || this.id.number !== number) {
      this.id = { seq, number, id: this.blocks.index.heightRow(number)?.id };
    }
    return this.id.id;
  }

  /** Height of a canonical block. */
  numberOf(id: Uint8Array): number | undefined {
    const number = readSeq(id);
    const found = this.blocks.index.heightRow(number);
    if (found === undefined || !equalBytes(found.id, id)) return undefined;
    // Of a block below the base the id may be known alone.
    return this.blocks.index.lacks(number) ? undefined : number;
  }

  /** The newest `applied` entry of a block id, canonical or taken back. */
  entryOfId(id: Uint8Array): AppliedEntry | undefined {
    const seq = this.blocks.index.seqOfId(id);
    const entry = seq === undefined ? undefined : this.blocks.entry(seq);
    if (entry?.kind === 'applied') return entry;
    const number = this.blocks.begin.base === undefined ? undefined : this.numberOf(id);
    return number === undefined ? undefined : this.blocks.index.block(number);
  }

  /** Place of a transaction in the canonical chain; `undefined` too where its block is not there. */
  transactionAt(id: Uint8Array): TransactionLocation | undefined {
    const place = this.blocks.index.transaction(id);
    return place && this.blocks.index.lacks(place.number) ? undefined : place;
  }
}
