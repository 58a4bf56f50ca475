import { equalBytes } from '../primitives/bytes.js';
import { TronError } from '../primitives/errors.js';
import { seqKey } from './block-key.js';
import type { BlockLog } from './block-log.js';
import type { BlocksBelow } from './blocks-below.js';
import { entryDamage } from './log-damage.js';
import type { AppliedEntry, RevertedEntry } from './log-entry.js';
import type { LookupTables } from './lookup-tables.js';
import type { TransactionPosition } from './transaction-position.js';

/** Where a transaction stands. */
interface TransactionRow extends TransactionPosition {
  readonly number: number;
}

interface BlockIndexParts {
  readonly log: Pick<BlockLog, 'entry' | 'file'>;
  readonly lookup: LookupTables;
  readonly below: BlocksBelow;
}

/** The log by heights and ids: its own blocks as the lookup tables name them, then those below its begin. */
export class BlockIndex {
  private readonly log: BlockIndexParts['log'];
  private readonly lookup: LookupTables;
  private readonly below: BlocksBelow;
  /** What a place was compared with last: who asks for it reads the block next. */
  private lastRead: AppliedEntry | undefined;

  constructor({ log, lookup, below }: BlockIndexParts) {
    this.log = log;
    this.lookup = lookup;
    this.below = below;
  }

  /** The applied entry of a canonical height. @throws {DamageError} */
  block(number: number): AppliedEntry | undefined {
    const found = this.heightRow(number);
    if (found === undefined) return undefined;
    if (this.below.includes(number)) return this.below.block(number);
    const entry = found.seq === this.lastRead?.seq ? this.lastRead : this.log.entry(found.seq);
    if (entry.kind !== 'applied' || entry.number !== number) throw entryDamage(this.log.file, found.seq);
    return entry;
  }

  /** Seq and block id of a canonical height. */
  heightRow(number: number): { readonly seq: number; readonly id: Uint8Array } | undefined {
    // Heights also come out of ids that peers and callers make up.
    if (!Number.isSafeInteger(number) || number < 0) return undefined;
    const row = this.lookup.height(number);
    if (row !== undefined) return row;
    const id = this.below.idAt(number);
    return id && { seq: 0, id };
  }

  /**
   * Begin of a canonical block's id, 16 bytes or all: enough for what transactions refer to. Within 65,536 blocks of
   * the head.
   */
  recentIdAt(number: number): Uint8Array | undefined {
    const row = this.heightRow(number);
    if (row !== undefined || number < 0) return row?.id;
    const hash = this.below.tapos(number);
    return hash && Buffer.concat([seqKey(number), hash]);
  }

  /** Seq of the newest `applied` entry of a block id, also of one that was taken back. */
  seqOfId(id: Uint8Array): number | undefined {
    return this.lookup.seqOfId(id);
  }

  /** Whether of a canonical block not more than the id, or ids of its transactions, are known. */
  lacks(number: number): boolean {
    return this.below.lacks(number);
  }

  /** Where a transaction stands in the canonical chain. @throws {DamageError} */
  transaction(id: Uint8Array): TransactionRow | undefined {
    const place = this.lookup.place(id);
    if (place !== undefined) return this.checkedPlace(id, place);
    const older = this.below.transaction(id);
    return older && { seq: 0, ...older };
  }

  /**
   * Whether the canonical chain holds a transaction.
   * @param id the hash of one: bytes that are none are not looked at to the end
   */
  hasTransaction(id: Uint8Array): boolean {
    return this.lookup.place(id) !== undefined || this.below.transaction(id) !== undefined;
  }

  /** The newest block is taken back. @throws {TronError} LOG_HOLE it is another one */
  takeBack({ number, id }: Pick<RevertedEntry, 'number' | 'id'>): void {
    const row = this.heightRow(number);
    if (row === undefined || !equalBytes(row.id, id))
      throw new TronError('LOG_HOLE', `block ${number} is not the newest one`);
    const block = this.log.entry(row.seq);
    if (block.kind !== 'applied') throw entryDamage(this.log.file, row.seq);
    this.lookup.takeBack(block);
  }

  /** A place that was found by the begin of an id, if it is that of the whole. */
  private checkedPlace(id: Uint8Array, { seq, index }: TransactionPosition): TransactionRow | undefined {
    const entry = seq === this.lastRead?.seq ? this.lastRead : this.log.entry(seq);
    const found = entry.kind === 'applied' ? entry.transactionIds[index] : undefined;
    if (entry.kind !== 'applied' || found === undefined) throw entryDamage(this.log.file, seq);
    this.lastRead = entry;
    return equalBytes(found, id) ? { seq, number: entry.number, index } : undefined;
  }
}
