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
import { isSame } from '../state/fold.js';
import { storeName } from '../state/stores.js';
import type { WriterLedger } from './writer-ledger.js';

/** Thrown if a replica cannot continue to follow a log. The message is one sentence for the operator. */
export class ReplicaError extends TronError<
  'GENESIS_DIFFERS' | 'DIGEST_DIFFERS' | 'RECORD_DAMAGED' | 'LOG_DIFFERS' | 'ENTRIES_MISSING'
> {}

/** Effect on the chain of the entries of one block. */
interface BlockEffect {
  readonly kind: 'applied' | 'reverted';
  /** The applied or reverted block. */
  readonly block: AppliedEntry;
}

interface TakeOptions {
  /** Entries of one block in log order: `applied` and optionally `solidified`, or only `reverted`. */
  readonly records: readonly LogRecord[];
  /** Height of the lowest block that a reorg can still reach. */
  readonly oldestReachable?: number;
}

const ROWS_NAMED_MAX = 5;

/**
 * Appends the entries of another node's log without executing blocks. Entry bytes, seqs and state are then equal to
 * those of the other node.
 *
 * Before each append, checks that the entry follows the previous entry, that the changes have the right checksum, and
 * that the old value of each row is right. The append verifies the state digest after the block. Afterwards, compares
 * the hash of the new entry with the source.
 */
export class Replica {
  private readonly ledger: WriterLedger;

  constructor(ledger: WriterLedger) {
    this.ledger = ledger;
  }

  /** Seq of the next expected entry. */
  get nextSeq(): number {
    return this.ledger.position.seq + 1;
  }

  /**
   * Compares an entry of the source with the entry of this log that has the same seq.
   * @throws {ReplicaError} GENESIS_DIFFERS: entry 0 differs, or the entry of the source is a `base` entry;
   * LOG_DIFFERS: another entry differs
   */
  checkKnown({ entry: bytes }: LogRecord): void {
    const entry = decode(bytes);
    if (equalBytes(this.ledger.record(entry.seq).entry, bytes)) return;
    if (entry.kind === 'base') throw withBase(entry);
    if (entry.seq === 0) {
      const own = this.ledger.entry(0);
      throw new ReplicaError(
        'GENESIS_DIFFERS',
        `the source log has another genesis (${describe(entry)}) than this configuration ` +
          `(${describe(own)}): both need the same genesis.block and committee sections`,
      );
    }
    throw differs(entry);
  }

  /**
   * Appends the entries of one block. They are on disk after `ledger.flush()`.
   * @returns the effect on the chain
   * @throws {ReplicaError} the entries are invalid, or do not match this log or state. Nothing was appended, except if
   * the hash of the appended entries differs from the source (LOG_DIFFERS).
   */
  take({ records, oldestReachable }: TakeOptions): BlockEffect {
    const entries = this.linked(records);
    const [first, second] = entries;
    if (first?.kind === 'reverted' && second === undefined) return { kind: 'reverted', block: this.revert(first) };
    if (first?.kind !== 'applied' || entries.length > 2 || (second !== undefined && second.kind !== 'solidified'))
      throw damaged(first, 'unexpected entries for one block');
    const changes = checkedChanges(first, records[0]?.changes);
    this.append(first, changes, second, oldestReachable);
    if (
      !equalBytes(this.ledger.newestHash, hashOfEntry(present(records.at(-1), 'a block has at least one record').entry))
    )
      throw differs(first);
    return { kind: 'applied', block: first };
  }

  /**
   * Decodes entries of the source.
   * @throws {ReplicaError} an entry does not follow the entry before it, or the first one does not follow the newest
   * entry of this log
   */
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
      throw new ReplicaError(
        'LOG_DIFFERS',
        `entry ${seq} reverts block ${number}, which is not the head of this replica`,
      );
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
      if (code === 'DIGEST_DIFFERS')
        throw differentState(entry, `the block changes ${rowNames([...changes.rows()])}`, { cause });
      if (code === 'LOG_HOLE') throw new ReplicaError('LOG_DIFFERS', `entry ${entry.seq}: ${message}`, { cause });
      throw cause;
    }
  }

  /**
   * Compares each changed row of this state with the `before` value of its change. @throws {ReplicaError} a row
   * differs
   */
  private checkStart(entry: AppliedEntry, changes: ChangeSet): void {
    const { head } = this.ledger;
    const wrong = [...changes.rows()].filter(({ store, key, before }) => !isSame(head.get(store, key), before));
    if (wrong.length > 0) throw differentState(entry, `before the block, the values differ in ${rowNames(wrong)}`);
  }
}

function checkedChanges(entry: AppliedEntry, bytes: Uint8Array | undefined): ChangeSet {
  if (bytes === undefined) throw damaged(entry, 'the row changes of the entry are missing');
  if (checksum64(bytes) !== entry.changesChecksum) throw damaged(entry, 'the row changes of the entry are corrupt');
  try {
    return new ChangeSet(bytes);
  } catch (cause) {
    throw damaged(entry, 'the row changes of the entry cannot be decoded', { cause });
  }
}

function decode(bytes: Uint8Array): LogEntry {
  const entry = decodeEntry(bytes);
  if (entry !== undefined) return entry;
  throw new ReplicaError('RECORD_DAMAGED', 'an entry of the source log is corrupt');
}

function withBase({ number, id }: LogEntry): ReplicaError {
  return new ReplicaError(
    'GENESIS_DIFFERS',
    `the source log starts at block ${number} (${toHex(id)}), but does not contain the state at that block; start this replica from a copy ` +
      "of the node's data folder ('tronicle backup')",
  );
}

/** Returns the error for an entry of the source with an unexpected seq. */
export function missing(seq: number, expected: number): ReplicaError {
  return new ReplicaError(
    'ENTRIES_MISSING',
    `the source log continues with entry ${seq}, this replica expects entry ${expected}: the topic was truncated or recreated; ` +
      'restore the topic, or start the replica from a copy of the data folder of the node or of a replica with a higher head',
  );
}

function damaged(entry: LogEntry | undefined, finding: string, options?: ErrorOptions): ReplicaError {
  const where = entry === undefined ? 'a record' : `entry ${entry.seq} (block ${entry.number})`;
  return new ReplicaError('RECORD_DAMAGED', `${where} of the source log is damaged: ${finding}`, options);
}

function differs({ seq, number, id }: LogEntry): ReplicaError {
  return new ReplicaError(
    'LOG_DIFFERS',
    `entry ${seq} (block ${number}, ${toHex(id)}) does not continue this replica's log: the source is another ` +
      'node than before; use a new data folder for the replica',
  );
}

type Rows = ReturnType<ChangeSet['row']>[];

function differentState({ number, id }: AppliedEntry, detail: string, options?: ErrorOptions): ReplicaError {
  const text = `block ${number} (${toHex(id)}) leads to another state here than at the source node: ${detail}`;
  return new ReplicaError('DIGEST_DIFFERS', text, options);
}

/** Returns the names of the first rows, and how many rows the text does not name. */
function rowNames(rows: Rows): string {
  const named = rows.slice(0, ROWS_NAMED_MAX).map(({ store, key }) => `row ${toHex(key)} of store ${storeName(store)}`);
  return named.join(', ') + (rows.length > named.length ? ` and ${rows.length - named.length} more` : '');
}

function describe(entry: LogEntry): string {
  return entry.kind === 'applied' ? `${toHex(entry.id)}, digest ${toHex(entry.digest)}` : toHex(entry.id);
}
