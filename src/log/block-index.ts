import { equalBytes } from '../primitives/bytes.js';
import { seqKey } from './block-key.js';
import type { BlocksBelow } from './blocks-below.js';
import { entryDamage, logHole } from './log-damage.js';
import type { AppliedEntry, LogEntry, RevertedEntry } from './log-entry.js';
import type { LookupTables } from './lookup-tables.js';
import type { TransactionPosition } from './transaction-position.js';

/** Position of a transaction in the canonical chain. */
interface TransactionRow extends TransactionPosition {
  readonly number: number;
}

interface BlockIndexParts {
  readonly log: { readonly file: string; entry(seq: number): LogEntry; entryInParts(seq: number): LogEntry };
  readonly lookup: LookupTables;
  readonly below: BlocksBelow;
}

/** Finds blocks and transactions by height and id: first in the lookup tables, then in the imported blocks. */
export class BlockIndex {
  private readonly log: BlockIndexParts['log'];
  private readonly lookup: LookupTables;
  private readonly below: BlocksBelow;

  constructor({ log, lookup, below }: BlockIndexParts) {
    this.log = log;
    this.lookup = lookup;
    this.below = below;
  }

  /**
   * Returns the applied entry of the canonical block at a height; undefined for an unknown height. Parts of a large
   * entry are read on demand.
   * @throws {DamageError} the entry is corrupt
   */
  block(number: number): AppliedEntry | undefined {
    const found = this.heightRow(number);
    if (found === undefined) return undefined;
    if (this.below.includes(number)) return this.below.block(number);
    const entry = this.log.entryInParts(found.seq);
    if (entry.kind !== 'applied' || entry.number !== number) throw entryDamage(this.log.file, found.seq);
    return entry;
  }

  /**
   * Returns the position in the log (seq) and the id of the canonical block at a height. The seq of an imported block
   * is 0. Undefined if the height is unknown.
   */
  heightRow(number: number): { readonly seq: number; readonly id: Uint8Array } | undefined {
    // The height may be part of an id from a peer or a client, so it may be any number.
    if (!Number.isSafeInteger(number) || number < 0) return undefined;
    const row = this.lookup.height(number);
    if (row !== undefined) return row;
    const id = this.below.idAt(number);
    return id && { seq: 0, id };
  }

  /**
   * Returns at least the first 16 bytes of a canonical block id. Valid only for the newest 65,536 blocks, which
   * suffices for the block reference of a transaction (TAPOS). Undefined if the height is unknown.
   */
  recentIdAt(number: number): Uint8Array | undefined {
    const row = this.heightRow(number);
    if (row !== undefined || number < 0) return row?.id;
    const hash = this.below.tapos(number);
    return hash && Buffer.concat([seqKey(number), hash]);
  }

  /**
   * Returns the seq of the newest `applied` entry of a block id, even if the block was reverted. Undefined for an
   * unknown id, and for an imported block other than that of the `base` entry.
   */
  seqOfId(id: Uint8Array): number | undefined {
    return this.lookup.seqOfId(id);
  }

  /** Returns true if only the id of a canonical block is stored, not its content. */
  lacks(number: number): boolean {
    return this.below.lacks(number);
  }

  /**
   * Returns the position of a canonical transaction; undefined if the id is unknown. The seq is 0 for an imported
   * transaction.
   * @throws {DamageError} the entry of the block is corrupt
   */
  transaction(id: Uint8Array): TransactionRow | undefined {
    const position = this.lookup.position(id);
    if (position !== undefined) return this.checkedPosition(id, position);
    const older = this.below.transaction(id);
    return older && { seq: 0, ...older };
  }

  /**
   * Returns true if a transaction is in the canonical chain.
   * @param id a transaction hash; only its first 20 bytes are compared, which is exact for real hashes
   */
  hasTransaction(id: Uint8Array): boolean {
    return this.lookup.position(id) !== undefined || this.below.transaction(id) !== undefined;
  }

  /**
   * Removes the newest block from the lookup tables after a revert.
   * @throws {TronError} LOG_HOLE: the block is not the newest block of the log; DAMAGED_DATA: its entry is corrupt
   */
  removeReverted({ number, id }: Pick<RevertedEntry, 'number' | 'id'>): void {
    const row = this.heightRow(number);
    if (row === undefined || !equalBytes(row.id, id))
      throw logHole(`cannot revert block ${number}, which is not the newest block of the log`);
    const block = this.log.entry(row.seq);
    if (block.kind !== 'applied') throw entryDamage(this.log.file, row.seq);
    this.lookup.removeReverted(block);
  }

  /**
   * Returns the position of a transaction; undefined if its whole id differs from `id`. This check is needed because
   * the lookup compared only the first bytes.
   */
  private checkedPosition(id: Uint8Array, { seq, index }: TransactionPosition): TransactionRow | undefined {
    const entry = this.log.entryInParts(seq);
    const found = entry.kind === 'applied' ? transactionIdAt(entry, index) : undefined;
    if (entry.kind !== 'applied' || found === undefined) throw entryDamage(this.log.file, seq);
    return equalBytes(found, id) ? { seq, number: entry.number, index } : undefined;
  }
}

function transactionIdAt(entry: AppliedEntry, index: number): Uint8Array | undefined {
  const { parts } = entry;
  if (parts === undefined) return entry.transactionIds[index];
  return index < parts.transactionCount ? parts.transactionId(index) : undefined;
}
