import { HASH_BYTES } from '../crypto/hash.js';
import type { BlockIndex } from './block-index.js';
import { readSeq, seqKey } from './block-key.js';
import { logCut } from './log-damage.js';
import type { BaseEntry, LogEntry } from './log-entry.js';
import type { LogFacts } from './log-facts.js';
import type { LookupTables } from './lookup-tables.js';
import type { StoredEntries } from './stored-entries.js';

/** The newest pruned entry of a log. It is an `applied` entry. */
export interface PruneMark {
  readonly seq: number;
  /** Height of the block of the entry. This block is solidified, and was the head when the entry was written. */
  readonly number: number;
  readonly id: Uint8Array;
  /** State digest after the block of the entry. */
  readonly digest: Uint8Array;
  /** Hash of the entry. The next entry contains it. */
  readonly hash: Uint8Array;
}

/** Name of the fact that stores the newest pruned entry. */
export const PRUNE_KEY = 'cut';

const NUMBERS_BYTES = 16;

/** Methods of the block log that pruning needs. */
interface PrunableLog {
  readonly index: Pick<BlockIndex, 'block'>;
  readonly lastSeq: number;
  entry(seq: number): LogEntry;
  hashOf(seq: number): Uint8Array;
  deleteChanges(seq: number): void;
}

interface LogStartParts {
  readonly log: PrunableLog;
  readonly facts: LogFacts;
  readonly stored: StoredEntries;
  readonly lookup: LookupTables;
}

/**
 * Start of the log: genesis, or the block of the `base` entry of a bootstrapped log. Also stores the newest pruned
 * entry. All entries from entry 1 up to this entry are deleted.
 */
export class LogStart {
  private readonly parts: LogStartParts;
  /** Entry 0 of the log, cached; undefined until the first read. */
  private first: LogEntry | undefined;

  constructor(parts: LogStartParts) {
    this.parts = parts;
  }

  /** Entry 0 of a log that `tronicle bootstrap` created; undefined for a log whose entry 0 is genesis. */
  get base(): BaseEntry | undefined {
    const { log } = this.parts;
    if (log.lastSeq >= 0) this.first ??= log.entry(0);
    return this.first?.kind === 'base' ? this.first : undefined;
  }

  /** The newest pruned entry; undefined if nothing was pruned. */
  get cut(): PruneMark | undefined {
    const row = this.parts.facts.get(PRUNE_KEY);
    return row && decodePruneMark(row);
  }

  /**
   * Height of the last block that has no log entry: the newest pruned block, or the block of a bootstrap. 0 for a
   * complete log.
   */
  get number(): number {
    return this.cut?.number ?? this.base?.number ?? 0;
  }

  /** Returns the seq of the next entry. After entry 0, this is the first entry that was not pruned. */
  after(seq: number): number {
    return seq === 0 ? (this.cut?.seq ?? 0) + 1 : seq + 1;
  }

  /**
   * Prunes all entries up to a canonical, solidified block with the next commit, including their changes and lookup
   * rows. Does not prune entry 0.
   * @throws {RangeError} the block is not in the log
   */
  moveTo(number: number): void {
    const { log, facts } = this.parts;
    const block = log.index.block(number);
    if (block === undefined || block.seq === 0)
      throw new RangeError(`cannot prune up to block ${number}, which is not in the log`);
    for (let seq = this.after(0); seq <= block.seq; seq++) this.leave(seq);
    const { seq, id, digest } = block;
    facts.set(PRUNE_KEY, encodeCut({ seq, number, id, digest, hash: log.hashOf(seq) }));
  }

  /** Checks that an entry was not pruned. @throws {TronError} LOG_CUT: the entry was pruned */
  refusePruned(seq: number): void {
    const { cut } = this;
    if (cut === undefined || seq <= 0 || seq > cut.seq) return;
    throw logCut(`entry ${seq}`, cut.number);
  }

  private leave(seq: number): void {
    const { log, stored, lookup } = this.parts;
    const entry = log.entry(seq);
    stored.remove(seq);
    log.deleteChanges(seq);
    if (entry.kind === 'applied') lookup.forget(entry);
  }
}

/**
 * Encodes the row of the newest pruned entry: seq and number with 8 bytes each, then id, digest and hash with 32 bytes
 * each.
 */
function encodeCut({ seq, number, id, digest, hash }: PruneMark): Buffer {
  return Buffer.concat([seqKey(seq), seqKey(number), id, digest, hash]);
}

export function decodePruneMark(bytes: Buffer): PruneMark {
  const part = (at: number): Buffer =>
    bytes.subarray(NUMBERS_BYTES + at * HASH_BYTES, NUMBERS_BYTES + (at + 1) * HASH_BYTES);
  return { seq: readSeq(bytes), number: readSeq(bytes.subarray(8)), id: part(0), digest: part(1), hash: part(2) };
}
