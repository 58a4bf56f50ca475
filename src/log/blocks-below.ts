import { HASH_BYTES } from '../crypto/hash.js';
import type { ImportedBlocks } from './imported-blocks.js';
import { type AppliedEntry, type BaseEntry, NO_HASH } from './log-entry.js';

/**
 * What a log that begins at a height knows of the blocks up to there, in the forms in which it tells of its own;
 * nothing where it begins at genesis.
 */
export class BlocksBelow {
  private readonly base: () => BaseEntry | undefined;
  private readonly brought: ImportedBlocks;

  /** @param base entry 0 of a log that begins at a height */
  constructor(base: () => BaseEntry | undefined, brought: ImportedBlocks) {
    this.base = base;
    this.brought = brought;
  }

  /** Whether a block is none of the log's own entries. */
  includes(number: number): boolean {
    return number <= (this.base()?.number ?? -1);
  }

  /** Whether of a block not more than the id, or ids of its transactions, can be known. */
  lacks(number: number): boolean {
    return this.includes(number) && !this.brought.has(number);
  }

  idAt(number: number): Uint8Array | undefined {
    return this.base() === undefined ? undefined : this.brought.idAt(number);
  }

  /** Bytes 8 to 16 of a block's id, by the low 16 bits of its height. */
  tapos(number: number): Uint8Array | undefined {
    return this.base() === undefined ? undefined : this.brought.tapos(number & 0xffff);
  }

  transaction(id: Uint8Array): { readonly number: number; readonly index: number } | undefined {
    return this.base() === undefined || id.length !== HASH_BYTES ? undefined : this.brought.transaction(id);
  }

  /** In the form of an entry; its seq is that of the base, beside which nobody finds changes. */
  block(number: number): AppliedEntry | undefined {
    const base = this.base();
    const found = base && this.brought.block(number);
    if (found === undefined) return undefined;
    return {
      kind: 'applied',
      seq: 0,
      ...found,
      parentId: (number > 0 ? this.brought.idAt(number - 1) : undefined) ?? NO_HASH,
      digest: number === base?.number ? base.digest : NO_HASH,
      changesChecksum: 0n,
    };
  }
}
