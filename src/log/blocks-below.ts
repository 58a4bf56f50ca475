import { HASH_BYTES } from '../crypto/hash.js';
import type { ImportedBlocks } from './imported-blocks.js';
import { type AppliedEntry, type BaseEntry, NO_HASH } from './log-entry.js';

/** Imported blocks below the start of a log, in the form of log entries. Empty for a log that starts at genesis. */
export class BlocksBelow {
  private readonly base: () => BaseEntry | undefined;
  private readonly imported: ImportedBlocks;

  /** @param base returns entry 0 of a log that does not start at genesis */
  constructor(base: () => BaseEntry | undefined, imported: ImportedBlocks) {
    this.base = base;
    this.imported = imported;
  }

  /** Returns true if a height is at or below the block of the base entry. Such a block has no log entry of its own. */
  includes(number: number): boolean {
    return number <= (this.base()?.number ?? -1);
  }

  /** Returns true if only the id of a block is stored, not its content. */
  lacks(number: number): boolean {
    return this.includes(number) && !this.imported.has(number);
  }

  idAt(number: number): Uint8Array | undefined {
    return this.base() === undefined ? undefined : this.imported.idAt(number);
  }

  /**
   * Returns the 8 bytes of a block id that transactions contain as a reference (TAPOS): bytes 8 to 15. `number` is the
   * height of the block. Only its low 16 bits are used, so the result is that of the newest imported block with these
   * bits.
   */
  tapos(number: number): Uint8Array | undefined {
    return this.base() === undefined ? undefined : this.imported.tapos(number & 0xffff);
  }

  transaction(id: Uint8Array): { readonly number: number; readonly index: number } | undefined {
    return this.base() === undefined || id.length !== HASH_BYTES ? undefined : this.imported.transaction(id);
  }

  /**
   * Returns an imported block in the form of a log entry; undefined if its content was not imported. Its seq is 0, the
   * seq of the base entry.
   */
  block(number: number): AppliedEntry | undefined {
    const base = this.base();
    const found = base && this.imported.block(number);
    if (found === undefined) return undefined;
    return {
      kind: 'applied',
      seq: 0,
      ...found,
      parentId: (number > 0 ? this.imported.idAt(number - 1) : undefined) ?? NO_HASH,
      digest: number === base?.number ? base.digest : NO_HASH,
      changesChecksum: 0n,
    };
  }
}
