import { checksum64 } from '../../crypto/checksum.js';
import {
  type AppliedEntry,
  decodeEntry,
  hashOfEntry,
  type LogEntry,
  previousHashOfEntry,
} from '../../log/log-entry.js';
import type { LogRecord } from '../../log/log-record.js';
import { present } from '../../primitives/assert.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { ChangeSet } from '../state/change-set.js';
import { storeName } from '../state/stores.js';
import type { WriterLedger } from './writer-ledger.js';

/** Why a log that is followed cannot be followed any further: each one sentence for the operator. */
export class ReplicaError extends TronError<
  'GENESIS_DIFFERS' | 'DIGEST_DIFFERS' | 'RECORD_DAMAGED' | 'LOG_DIFFERS' | 'ENTRIES_MISSING'
> {}

/** What a block's entries did. */
interface Followed {
  readonly kind: 'applied' | 'reverted';
  /** The block that joined, or that was taken back. */
  readonly block: AppliedEntry;
}

interface TakeOptions {
  /** Entries of one block, as they were appended: `applied` with what it made irreversible, or `reverted`. */
  readonly records: readonly LogRecord[];
  /** Lowest block that a switch can still reach. */
  readonly oldestReachable?: number;
}

const ROWS_NAMED_MAX = 5;

/**
 * Appends the entries of another node's log to an own one without executing anything: the same bytes under the same
 * numbers, the same state. Everything is checked before it is appended: each entry's hash, its link to the entry
 * before, the checksum of the changes, the value that each row starts from, the digest after the block.
 */
export class Replica {
  private readonly ledger: WriterLedger;

  constructor(ledger: WriterLedger) {
    this.ledger = ledger;
  }

  /** The entry that has to come next. */
  get nextSeq(): number {
    return this.ledger.position.seq + 1;
  }

  /**
   * Whether an entry is the one that this log holds under its number.
   * @throws {ReplicaError} GENESIS_DIFFERS, LOG_DIFFERS
   */
  checkKnown({ entry: bytes }: LogRecord): void {
    const entry = decode(bytes);
    if (equalBytes(this.ledger.record(entry.seq).entry, bytes)) return;
    if (entry.kind === 'base') throw withBase(entry);
    if (entry.seq === 0) {
      const own = this.ledger.entry(0);
      throw new ReplicaError(
        'GENESIS_DIFFERS',
        `the log that is followed has another genesis (${describe(entry)}) than this configuration gives ` +
          `(${describe(own)}): both need the same genesis.block and committee sections`,
      );
    }
    throw differs(entry);
  }

  /**
   * Answers what happened. Durable after `ledger.flush()`.
   * @throws {ReplicaError} nothing of the block is taken then
   */
  take({ records, oldestReachable }: TakeOptions): Followed {
    const entries = this.linked(records);
    const [first, second] = entries;
    if (first?.kind === 'reverted' && second === undefined) return { kind: 'reverted', block: this.revert(first) };
    if (first?.kind !== 'applied' || entries.length > 2 || (second !== undefined && second.kind !== 'solidified'))
      throw damaged(first, 'its entries are not those of one block');
    const changes = checkedChanges(first, records[0]?.changes);
    this.append(first, changes, second, oldestReachable);
    if (!equalBytes(this.ledger.newestHash, hashOfEntry(present(records.at(-1), 'its entries came in records').entry)))
      throw differs(first);
    return { kind: 'applied', block: first };
  }

  /** Decodes entries that follow the newest one. */
  private linked(records: readonly LogRecord[]): LogEntry[] {
    let hash = this.ledger.newestHash;
    let seq = this.nextSeq;
    return records.map(({ entry: bytes }) => {
      const entry = decode(bytes);
      if (entry.seq !== seq++) throw missing(entry.seq, seq - 1);
      if (!equalBytes(previousHashOfEntry(bytes), hash)) throw differs(entry);
      hash = hashOfEntry(bytes);
      return entry;
    });
  }

  private revert({ seq, number, id }: LogEntry): AppliedEntry {
    const { headNumber, headId } = this.ledger.position;
    if (number !== headNumber || !equalBytes(id, headId))
      throw new ReplicaError('LOG_DIFFERS', `entry ${seq} takes back block ${number}, which is not the head here`);
    const block = this.ledger.block(number) as AppliedEntry;
    this.ledger.revert();
    return block;
  }

  private append(
    entry: AppliedEntry,
    changes: ChangeSet,
    solidified: LogEntry | undefined,
    oldestReachable: number | undefined,
  ): void {
    const { number, id, parentId, digest, transactionIds, block: bytes, results } = entry;
    this.checkStart(entry, changes);
    try {
      this.ledger.append({
        ...{ number, id, parentId, digest, transactionIds, bytes, results },
        changes: changes.rows(),
        internalTransactions: changes.internalTransactions,
        ...(solidified && { solidified: { number: solidified.number, id: solidified.id } }),
        ...(oldestReachable !== undefined && { oldestReachable }),
      });
    } catch (cause) {
      const { code, message } = cause as Partial<TronError>;
      if (code === 'DIGEST_DIFFERS') throw digestDiffers(entry, [...changes.rows()], { cause });
      if (code === 'LOG_HOLE') throw new ReplicaError('LOG_DIFFERS', `entry ${entry.seq}: ${message}`, { cause });
      throw cause;
    }
  }

  /** Each row has to have the value here that the block found there. */
  private checkStart(entry: AppliedEntry, changes: ChangeSet): void {
    const { head } = this.ledger;
    const wrong = [...changes.rows()].filter(({ store, key, before }) => !isSame(head.get(store, key), before));
    if (wrong.length > 0) throw digestDiffers(entry, wrong);
  }
}

function checkedChanges(entry: AppliedEntry, bytes: Uint8Array | undefined): ChangeSet {
  if (bytes === undefined) throw damaged(entry, 'the changes of its block are missing');
  if (checksum64(bytes) !== entry.changesChecksum)
    throw damaged(entry, 'the changes of its block are not what was written');
  try {
    return new ChangeSet(bytes);
  } catch (cause) {
    throw damaged(entry, 'the changes of its block cannot be read', { cause });
  }
}

function decode(bytes: Uint8Array): LogEntry {
  const entry = decodeEntry(bytes);
  if (entry !== undefined) return entry;
  throw new ReplicaError('RECORD_DAMAGED', 'an entry of the log that is followed is not what was written');
}

function withBase({ number, id }: LogEntry): ReplicaError {
  return new ReplicaError(
    'GENESIS_DIFFERS',
    `the log that is followed begins at block ${number} (${toHex(id)}), whose rows are no part of it: start this replica from a copy ` +
      "of the node's data folder ('tronicle backup')",
  );
}

/** For an entry that comes where another one has to. */
export function missing(seq: number, expected: number): ReplicaError {
  return new ReplicaError(
    'ENTRIES_MISSING',
    `the log that is followed goes on with entry ${seq}, this replica needs entry ${expected}: the topic was shortened or made ` +
      'anew. Restore it, or start from a copy of the data folder of the node or of a replica that is further',
  );
}

function damaged(entry: LogEntry | undefined, finding: string, options?: ErrorOptions): ReplicaError {
  const where = entry === undefined ? 'a record' : `entry ${entry.seq} (block ${entry.number})`;
  return new ReplicaError('RECORD_DAMAGED', `${where} of the log that is followed is damaged: ${finding}`, options);
}

function differs({ seq, number, id }: LogEntry): ReplicaError {
  return new ReplicaError(
    'LOG_DIFFERS',
    `entry ${seq} (block ${number}, ${toHex(id)}) does not follow from this replica's log: it is the log of another node. Give the ` +
      'replica a new data folder',
  );
}

type Rows = ReturnType<ChangeSet['row']>[];

function digestDiffers({ number, id }: AppliedEntry, rows: Rows, options?: ErrorOptions): ReplicaError {
  const named = rows.slice(0, ROWS_NAMED_MAX).map(({ store, key }) => `${toHex(key)} of store ${storeName(store)}`);
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
  return new ReplicaError(
    'DIGEST_DIFFERS',
    `block ${number} (${toHex(id)}) leads to another state here than at the node that is followed: row ${named.join(', row ')}${more}`,
    options,
  );
}

function describe(entry: LogEntry): string {
  return entry.kind === 'applied' ? `${toHex(entry.id)}, digest ${toHex(entry.digest)}` : toHex(entry.id);
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
