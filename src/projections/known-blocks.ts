import type { BlockLog } from '../log/block-log.js';
import type { AppliedEntry } from '../log/log-entry.js';

/**
 * What callers ask for most of the canonical chain, looked up once for each position of the log: the head's entry, the same object
 * each time, by which callers may keep what they made of it; and the block that transactions refer to.
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
      if (this.entry?.seq !== this.blocks.heightRow(number)?.seq) this.entry = this.blocks.block(number);
      this.entrySeq = seq;
    }
    return this.entry;
  }

  /** @param seq newest entry of the log */
  idAt(seq: number, number: number): Uint8Array | undefined {
    if (this.id?.seq !== seq || this.id.number !== number) {
      this.id = { seq, number, id: this.blocks.heightRow(number)?.id };
    }
    return this.id.id;
  }
}
