import type { FolderLock } from '../../disk/folder-lock.js';
import { checkFreeSpace } from '../../disk/free-space.js';
import { copyBytes, equalBytes, toHex } from '../../domain/bytes.js';
import { TronError, UsageError } from '../../domain/errors.js';
import { seqKey } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import { type EntryStreamOptions, LogBell, streamEntries } from '../../log/entry-stream.js';
import type { AppliedEntry, BaseEntry, LogEntry } from '../../log/log-entry.js';
import type { LogMarker } from '../../log/log-marker.js';
import type { LogRecord } from '../../log/log-record.js';
import { ChangeSet, encodeChangeSet, inverse, nextDigest, normaliseChanges } from '../rows/change-set.js';
import { mismatch, PendingState } from '../rows/pending-state.js';
import type { StateDatabase } from '../rows/state-database.js';
import type { StateReader } from '../rows/state-reader.js';
import type { StoreId } from '../rows/stores.js';
import type { CheckRecord } from '../verify/check-record.js';
import type { Checkpoints } from './checkpoint.js';
import { KeptHistory } from './kept-history.js';
import { KnownBlocks, type TransactionPlace } from './known-blocks.js';
import { heightUnknown, readPosition, SOLIDIFIED, stateNotKept } from './ledger-facts.js';
import type { BlockChanges, BlockRef, LedgerOptions, LedgerParts, NewBlock, Position } from './ledger-types.js';
import { LogCutter } from './log-cutter.js';
import { TurnSnapshot } from './turn-snapshot.js';

export type { BlockChanges, BlockRef, Genesis, LedgerOptions, NewBlock, Position, Retention } from './ledger-types.js';

const BATCH_BLOCKS_MAX = 100;
const BATCH_BYTES_MAX = 64 * 1024 * 1024;
/** Blocks that leave the log with a commit, beside two for each that comes. */
const BLOCKS_CUT_MIN = 20;
/** How often, and how long in between, a reader looks for a commit of which it has seen the first half. */
const REFRESH_ATTEMPTS = 20;
const REFRESH_WAIT_MS = 5;

/** The block log and the state that follows from it, for one writer. All reads see what was appended, flushed or not. */
export class Ledger {
  /** State after the newest block. */
  readonly head: StateReader;
  private readonly options: LedgerOptions;
  private readonly blocks: BlockLog;
  private readonly state: StateDatabase;
  private readonly checkpoints: Checkpoints;
  private readonly lock: FolderLock | undefined;
  private readonly marker: LogMarker;
  private readonly checks: CheckRecord;
  private readonly pending: PendingState;
  private readonly bell: LogBell;
  private readonly known: KnownBlocks;
  private readonly cutter: LogCutter;
  private history: KeptHistory;
  private current: Position;
  private totals: NonNullable<ReturnType<StateDatabase['cursor']>>['totals'];
  private flushedSeq: number;
  private waitingBlocks = 0;
  /** Of a ledger that follows. */
  private readonly snapshot: TurnSnapshot;

  constructor(options: LedgerOptions, parts: LedgerParts) {
    const { blocks, state, checkpoints, lock, marker, checks } = parts;
    this.options = options;
    this.blocks = blocks;
    this.known = new KnownBlocks(blocks);
    this.cutter = new LogCutter({ blocks, retention: options.logRetention ?? 'all', log: options.log });
    this.state = state;
    this.checkpoints = checkpoints;
    this.lock = lock;
    this.marker = marker;
    this.checks = checks;
    this.pending = new PendingState(state);
    this.head = this.pending;
    this.bell = new LogBell(options.bell);
    this.snapshot = new TurnSnapshot({ blocks, state, bell: this.bell, isRung: options.bell !== undefined });
    const cursor = state.cursor();
    if (cursor === undefined) throw new UsageError(`${options.dataDir} holds no state yet`);
    this.totals = cursor.totals;
    this.flushedSeq = cursor.seq;
    this.current = readPosition(this.blocks, cursor);
    this.history = this.openHistory();
  }

  get position(): Position {
    this.follow();
    return this.current;
  }

  /** Seq of the newest entry that is on the disk, and so the last one that {@link entries} gives now. */
  get storedSeq(): number {
    this.follow();
    return this.options.follows === true ? this.current.seq : this.blocks.committedSeq;
  }

  /** Seq of the newest entry whose effects the stored state holds. */
  get stateSeq(): number {
    return this.flushedSeq;
  }

  /** Lowest height that {@link at} answers. */
  get keptHeight(): number {
    return this.history.height;
  }

  /** Entry 0 of a log that begins at a height and not at genesis. */
  get base(): BaseEntry | undefined {
    return this.blocks.base;
  }

  /** The log holds the blocks above this height, and genesis: that of the base, or of the newest block that has left. */
  get beginNumber(): number {
    return this.blocks.beginNumber;
  }

  /** Seq of the entry that comes behind another one in {@link entries}. */
  seqAfter(seq: number): number {
    return this.blocks.after(seq);
  }

  /** Share it with reading threads: their `entries` wake when this ledger flushes. */
  get bellBuffer(): SharedArrayBuffer {
    return this.bell.counter.buffer as SharedArrayBuffer;
  }

  /** State after the newest irreversible block. */
  solidified(): StateReader {
    const { solidifiedNumber, headNumber } = this.position;
    // A log that begins at a height knows no older state, as the reference after a start.
    return this.at(Math.max(Math.min(solidifiedNumber, headNumber), this.base?.number ?? 0));
  }

  /**
   * State after the block of a canonical height. The view is good until the next append, revert or refresh.
   * @throws {TronError} HISTORY_NOT_KEPT below the kept height, HEIGHT_UNKNOWN above the head.
   */
  at(height: number): StateReader {
    const { headNumber } = this.position;
    if (height === headNumber) return this.head;
    if (!Number.isInteger(height) || height < 0 || height > headNumber) {
      throw heightUnknown(height, headNumber);
    }
    if (height < this.keptHeight) throw stateNotKept(height, this.keptHeight, this.beginNumber);
    return this.history.view(height, this.head);
  }

  /**
   * Appends the next block, in memory until {@link flush} (done by itself after 100 blocks or 64 MB).
   * @throws {TronError} LOG_HOLE when it does not follow the head, CHANGES_MISMATCH when a change starts from another value, DIGEST_DIFFERS
   */
  append(block: NewBlock): void {
    const { number, id, parentId, solidified } = block;
    const { headNumber, headId } = this.current;
    if (number !== headNumber + 1 || !equalBytes(parentId, headId)) {
      throw new TronError(
        'LOG_HOLE',
        `block ${number} (${toHex(id)}) does not follow the head ${headNumber} (${toHex(headId)})`,
      );
    }
    const rows = normaliseChanges(block.changes);
    const record = encodeChangeSet(rows, block.internalTransactions);
    const changes = new ChangeSet(record);
    const digest = nextDigest(this.current.digest, id, changes);
    if (block.digest !== undefined && !equalBytes(block.digest, digest))
      throw new TronError('DIGEST_DIFFERS', `block ${number} leads to another state`);
    this.pending.apply(rows);
    const { bytes, results, transactionIds } = block;
    const seq = this.blocks.append(
      { kind: 'applied', number, id, parentId, digest, transactionIds, block: bytes, results },
      record,
    );
    this.history.add(number, seq, rows, block.oldestReachable);
    this.current = { ...this.current, seq, headNumber: number, headId: copyBytes(id), digest };
    if (solidified !== undefined && solidified.number > this.current.solidifiedNumber) this.solidify(solidified);
    this.waitingBlocks++;
    if (this.waitingBlocks >= BATCH_BLOCKS_MAX || this.waitingBytes() >= BATCH_BYTES_MAX) this.flushNow();
  }

  /**
   * Takes the newest block back: its rows get their values from before it, the log a `reverted` entry. Answers the new head.
   * @throws {TronError} HISTORY_NOT_KEPT when its changes are gone, or for genesis.
   */
  revert(): BlockRef {
    const { headNumber, headId } = this.current;
    if (headNumber <= this.keptHeight) {
      throw new TronError(
        'HISTORY_NOT_KEPT',
        `block ${headNumber} cannot be taken back: its changes are no longer kept`,
      );
    }
    const block = this.block(headNumber) as AppliedEntry;
    const parent = this.block(headNumber - 1) as AppliedEntry;
    const changes = [...this.history.changesOf(block.seq).rows()];
    this.pending.apply(inverse(changes));
    this.history.remove(headNumber, block.seq, changes);
    const seq = this.blocks.append({ kind: 'reverted', number: headNumber, id: headId });
    const head = { number: parent.number, id: copyBytes(parent.id) };
    this.current = { ...this.current, seq, headNumber: head.number, headId: head.id, digest: copyBytes(parent.digest) };
    this.waitingBlocks++;
    return head;
  }

  /**
   * Brings all that was appended onto the disk: first the log, then the checkpoint, then the state; after it nothing of it is lost by
   * a kill or a power failure. @throws {TronError} STORAGE_FAILED; what was flushed before is untouched.
   */
  async flush(): Promise<void> {
    this.flushNow();
  }

  /** The `applied` entry of a canonical height. A ledger that follows gives the head as the same object each time. */
  block(number: number): AppliedEntry | undefined {
    if (this.options.follows !== true || number !== this.current.headNumber) return this.blocks.index.block(number);
    return this.known.head(this.current.seq, number);
  }

  /** Id of the canonical block of a height. */
  blockIdAt(number: number): Uint8Array | undefined {
    return this.known.idAt(this.current.seq, number);
  }

  /** Id of the newest canonical block whose height ends in these 16 bits; of one below a base at least its first 16 bytes. */
  recentBlockId(low: number): Uint8Array | undefined {
    const { headNumber } = this.current;
    return this.blocks.index.recentIdAt(headNumber - ((headNumber - low) & 0xffff));
  }

  /** Height of a canonical block. */
  numberOf(id: Uint8Array): number | undefined {
    return this.known.numberOf(id);
  }

  /** The newest `applied` entry of a block id, canonical or taken back. */
  entryOfId(id: Uint8Array): AppliedEntry | undefined {
    return this.known.entryOfId(id);
  }

  /** Place of a transaction in the canonical chain. */
  transactionAt(id: Uint8Array): TransactionPlace | undefined {
    return this.known.transactionAt(id);
  }

  /** Whether the canonical chain holds a transaction, also in a block of which only that is known. */
  hasTransaction(id: Uint8Array): boolean {
    return this.blocks.index.hasTransaction(id);
  }

  /** @throws {RangeError} when there is no such entry. */
  entry(seq: number): LogEntry {
    return this.blocks.entry(seq);
  }

  /** An entry as it is stored, with the `changes` record beside it where that is kept: what replicas take. */
  record(seq: number): LogRecord {
    return { entry: this.blocks.bytesOf(seq), changes: this.blocks.changes(seq) };
  }

  /** Hash of the newest entry, with what waits. */
  get newestHash(): Uint8Array {
    return this.blocks.newestHash;
  }

  /** A small fact of the writer, which the next commit of entries takes with it. */
  note(name: string, value: Uint8Array): void {
    this.blocks.setFact(name, value);
  }

  noted(name: string): Uint8Array | undefined {
    return this.blocks.fact(name);
  }

  /** What the block of an `applied` entry changed; `undefined` when it is no longer kept. */
  changes(seq: number): BlockChanges | undefined {
    const bytes = this.blocks.changes(seq);
    if (bytes === undefined) return undefined;
    const changes = new ChangeSet(bytes);
    return { rows: [...changes.rows()], internalTransactions: changes.internalTransactions };
  }

  /**
   * Keeps the changes of entries above `seq` on the disk for a reader that has come so far, whatever the retention says; `undefined`
   * ends it. A process that starts says it again before the first flush.
   */
  holdChanges(reader: string, seq: number | undefined): void {
    this.history.hold(reader, seq);
  }

  /** Entries on the disk from a seq on, then those that come, see `streamEntries`. */
  entries(options: EntryStreamOptions): AsyncIterable<LogEntry> {
    const { readOnly, bell, follows } = this.options;
    // Without the writer's bell nothing would ever wake a reader of another process.
    const follow = options.follow ?? (readOnly !== true || bell !== undefined);
    return streamEntries(follows === true ? this.entriesOfState() : this.blocks, this.bell, { ...options, follow });
  }

  /**
   * In a read-only ledger: goes on to what the writer has committed since; nothing otherwise. What is read synchronously after it is one
   * snapshot; a later turn of the event loop may see newer rows and has to refresh first.
   */
  refresh(): void {
    if (this.options.readOnly !== true) return;
    const before = this.current;
    for (let attempt = 0; attempt < REFRESH_ATTEMPTS; attempt++) {
      this.blocks.refresh();
      this.state.environment.refresh();
      const cursor = this.state.cursor();
      const canonical = cursor && this.blocks.index.heightRow(cursor.number);
      // The log is committed before the state: in between, after a switch, the two speak of different branches.
      if (cursor && canonical && equalBytes(canonical.id, cursor.id)) {
        this.flushedSeq = cursor.seq;
        this.current = readPosition(this.blocks, cursor);
        break;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REFRESH_WAIT_MS);
    }
    if (this.current.seq !== before.seq) this.followHistory(before.seq);
  }

  /** Flushes and closes. @throws {TronError} as {@link flush} does; the folder is closed and free all the same. */
  async close(): Promise<void> {
    try {
      if (this.options.readOnly !== true) this.flushNow();
    } finally {
      this.bell.close();
      await this.state.close();
      await this.blocks.close();
      this.marker.close();
      this.lock?.close();
    }
    if (this.options.readOnly !== true) this.checks.close();
  }

  /**
   * Lets some of the blocks leave that `logRetention` does not keep, where a folder holds more of them than running brings.
   * @returns whether there may be more @throws {TronError} STORAGE_FAILED
   */
  prune(blocks: number): boolean {
    const { keptHeight } = this;
    this.history.forget(this.current, this.flushedSeq);
    const isCut = this.cutLog(blocks);
    this.blocks.commit();
    return isCut || this.keptHeight > keptHeight;
  }

  private cutLog(count: number): boolean {
    const { keptHeight } = this;
    const seq = Math.min(this.flushedSeq, this.history.passedByAll);
    return this.cutter.cut(count, this.current, { keptHeight, seq });
  }

  private solidify({ number, id }: BlockRef): void {
    const seq = this.blocks.append({ kind: 'solidified', number, id });
    this.blocks.setFact(SOLIDIFIED, Buffer.concat([seqKey(number), id]));
    this.current = { ...this.current, seq, solidifiedNumber: number, solidifiedId: copyBytes(id) };
  }

  private waitingBytes(): number {
    return this.blocks.waitingBytes + this.pending.waitingBytes;
  }

  private flushNow(): void {
    const { seq, headNumber: number, headId: id, digest } = this.current;
    if (seq === this.flushedSeq) return;
    const writes = [...this.pending.writes()];
    const wrong = this.state.findMismatch(writes);
    if (wrong !== undefined) throw mismatch(wrong.ordered[0] as StoreId);
    checkFreeSpace(this.options.dataDir, this.waitingBytes());
    this.history.forget(this.current, this.flushedSeq);
    this.cutLog(BLOCKS_CUT_MIN + 2 * this.waitingBlocks);
    this.blocks.commit();
    this.marker.write({ seq, hash: this.blocks.hashOf(seq) });
    const cursor = { seq, number, id, digest };
    this.checkpoints.write({ fromSeq: this.flushedSeq, cursor, writes });
    this.totals = this.state.commit(writes, cursor, this.totals);
    this.bell.ring();
    this.pending.clear();
    this.flushedSeq = seq;
    this.waitingBlocks = 0;
    this.history.trim(this.current);
  }

  private follow(): void {
    if (this.options.follows !== true || !this.snapshot.take(this.current)) return;
    this.refresh();
    this.snapshot.seen();
  }

  /** The log up to where the state is: who hears of a block may ask for the state after it. */
  private entriesOfState(): Pick<BlockLog, 'page' | 'committedSeq' | 'refreshForReader'> {
    const ledger = this;
    return {
      refreshForReader: () => this.follow(),
      get committedSeq() {
        return ledger.storedSeq;
      },
      page: (from, bytesMax) => this.blocks.page(from, bytesMax).filter(({ seq }) => seq <= this.current.seq),
    };
  }

  private followHistory(fromSeq: number): void {
    const entries = this.history.isNear(this.current.seq - fromSeq)
      ? this.blocks.page(fromSeq + 1, Number.POSITIVE_INFINITY).filter(({ seq }) => seq <= this.current.seq)
      : undefined;
    if (entries === undefined || !this.history.follow(entries, this.current)) this.history = this.openHistory();
  }

  private openHistory(): KeptHistory {
    const { retention, readOnly } = this.options;
    return new KeptHistory({ blocks: this.blocks, retention, isWriter: readOnly !== true }, this.current);
  }
}
