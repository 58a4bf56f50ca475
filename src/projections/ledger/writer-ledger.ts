import { checkFreeSpace } from '../../files/free-space.js';
import { isSystemError } from '../../files/system-error.js';
import { seqKey } from '../../log/block-key.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { present } from '../../primitives/assert.js';
import { copyBytes, equalBytes, toHex } from '../../primitives/bytes.js';
import { errorText, TronError } from '../../primitives/errors.js';
import { ChangeSet, encodeChangeSet, inverseChanges, nextDigest, normaliseChanges } from '../state/change-set.js';
import { mismatch } from '../state/fold.js';
import type { StateDatabase } from '../state/state-database.js';
import type { StoreId } from '../state/stores.js';
import { Ledger } from './ledger.js';
import { SOLIDIFIED } from './ledger-facts.js';
import type { BlockRef, LedgerOptions, LedgerParts, NewBlock } from './ledger-types.js';
import { BATCH_BYTES_MAX } from './ledger-types.js';
import { LogPruner } from './log-pruner.js';

const BATCH_BLOCKS_MAX = 100;
/**
 * Minimum of the pruning limit, in blocks. A commit prunes at most this number of old blocks, plus two for each block
 * that was appended or reverted since the last commit. The number of old blocks therefore decreases, but no commit
 * takes long.
 */
const BLOCKS_PRUNED_BASE = 20;

/** The ledger of the writer: appends and reverts blocks. Reads include unflushed data. */
export class WriterLedger extends Ledger {
  private readonly dataDir: string;
  private readonly pruner: LogPruner;
  private totals: NonNullable<ReturnType<StateDatabase['cursor']>>['totals'];
  private uncommittedBlocks = 0;
  private problem: string | undefined;
  /**
   * Seq of the newest entry that each reader has processed, by the name of the reader. Changes above this seq are
   * retained.
   */
  private readonly readerPositions = new Map<string, number>();

  constructor(options: LedgerOptions, parts: LedgerParts) {
    super(options, parts);
    this.dataDir = options.dataDir;
    const { blocks, state } = parts;
    this.pruner = new LogPruner({ blocks, retention: options.logRetention ?? 'all', log: options.log });
    this.totals = present(state.cursor(), 'a ledger has a state').totals;
  }

  /**
   * Appends the next block in memory. {@link flush} writes the block to disk. If 100 blocks or 64 MiB are unflushed,
   * they are flushed first. If that flush fails, the head does not change, and the block can be appended later.
   * @throws {TronError} LOG_HOLE: the block does not follow the head; CHANGES_MISMATCH: the old value of a change
   * differs from the state; DIGEST_DIFFERS: the computed digest differs from `block.digest`; STORAGE_FULL,
   * STORAGE_FAILED: the flush failed
   */
  append(block: NewBlock): void {
    if (this.uncommittedBlocks >= BATCH_BLOCKS_MAX || this.uncommittedBytes() >= BATCH_BYTES_MAX) this.flushNow();
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
      throw new TronError(
        'DIGEST_DIFFERS',
        `block ${number} leads to the state digest ${toHex(digest)}, expected ${toHex(block.digest)}`,
      );
    this.pending.apply(rows);
    const { bytes, results, transactionIds, sums } = block;
    const seq = this.blocks.append(
      { kind: 'applied', number, id, parentId, digest, transactionIds, block: bytes, results },
      record,
      sums,
    );
    this.history.add(number, seq, rows, block.oldestReachable);
    this.current = { ...this.current, seq, headNumber: number, headId: copyBytes(id), digest };
    if (solidified !== undefined && solidified.number > this.current.solidifiedNumber) this.solidify(solidified);
    this.uncommittedBlocks++;
  }

  /**
   * Reverts the newest block: restores the old values of its rows, and appends a `reverted` entry.
   * @returns the new head
   * @throws {TronError} HISTORY_NOT_KEPT: the head is genesis, or the changes of its block are not retained
   */
  revert(): BlockRef {
    const { headNumber, headId } = this.current;
    if (headNumber <= this.keptHeight) {
      throw new TronError(
        'HISTORY_NOT_KEPT',
        `cannot revert block ${headNumber}: it is genesis, or its row changes were deleted; tronicle.history.retention sets the number of blocks to keep`,
      );
    }
    const block = this.block(headNumber) as AppliedEntry;
    const parent = this.block(headNumber - 1) as AppliedEntry;
    const changes = [...this.history.changesOf(block.seq).rows()];
    this.pending.apply(inverseChanges(changes));
    this.history.remove(headNumber, block.seq, changes);
    const seq = this.blocks.append({ kind: 'reverted', number: headNumber, id: headId });
    const head = { number: parent.number, id: copyBytes(parent.id) };
    this.current = { ...this.current, seq, headNumber: head.number, headId: head.id, digest: copyBytes(parent.digest) };
    this.uncommittedBlocks++;
    return head;
  }

  /**
   * Flushes all appended data to disk: first the log, then the checkpoint, then the state. Flushed data survives a
   * kill of the process and a power failure.
   * @throws {TronError} STORAGE_FULL, STORAGE_FAILED: the write failed; CHANGES_MISMATCH: the old value of a change
   * differs from the stored row. After an error, data of earlier flushes is unchanged, and the next call tries to
   * flush the appended data again.
   */
  async flush(): Promise<void> {
    this.flushNow();
  }

  /** Reason of the failure if the last write failed; undefined after a successful flush. */
  get storageProblem(): string | undefined {
    return this.problem;
  }

  /**
   * Sets {@link storageProblem} after a write outside of the ledger has failed. The next successful flush clears it.
   */
  storageFailed(error: unknown): void {
    this.problem = errorText(error);
  }

  /** Synchronous form of {@link flush}. */
  flushNow(): void {
    if (this.current.seq === this.flushedSeq) return;
    try {
      this.writeAll();
      this.problem = undefined;
    } catch (thrown) {
      const error = isSystemError(thrown) ? notWritten(thrown) : thrown;
      this.storageFailed(error);
      throw error;
    }
  }

  private writeAll(): void {
    const { seq, headNumber: number, headId: id, digest } = this.current;
    const writes = [...this.pending.writes()];
    const wrong = this.parts.state.findMismatch(writes);
    if (wrong !== undefined) throw mismatch(wrong.ordered[0] as StoreId);
    checkFreeSpace(this.dataDir, this.uncommittedBytes());
    this.pruneChanges();
    this.pruneLog(BLOCKS_PRUNED_BASE + 2 * this.uncommittedBlocks);
    this.blocks.commit();
    this.parts.marker.write({ seq, hash: this.blocks.hashOf(seq) });
    const cursor = { seq, number, id, digest };
    this.parts.checkpoints.write({ fromSeq: this.flushedSeq, cursor, writes });
    this.totals = this.parts.state.commit(writes, cursor, this.totals);
    this.notifier.notify();
    this.pending.clear();
    this.flushedSeq = seq;
    this.uncommittedBlocks = 0;
    this.history.trim(this.current);
  }

  /** Stores a named value in the log (a fact, see `ledger-facts.ts`). The value is committed with the next entries. */
  note(name: string, value: Uint8Array): void {
    this.blocks.facts.set(name, value);
  }

  /**
   * Retains log entries above `seq` and their changes for a reader that has processed all entries up to `seq`,
   * regardless of the configured retention. If `seq` is undefined, the reader needs no entries. After a start,
   * readers must call this method before the first flush.
   */
  retainChanges(reader: string, seq: number | undefined): void {
    if (seq === undefined) this.readerPositions.delete(reader);
    else this.readerPositions.set(reader, seq);
  }

  /**
   * Flushes and closes the ledger. The folder is closed and unlocked even if the flush fails.
   * @throws {TronError} the errors of {@link flush}
   */
  override async close(): Promise<void> {
    try {
      this.flushNow();
    } finally {
      await super.close();
    }
    this.parts.checks.close();
  }

  /**
   * Prunes up to `blocks` blocks beyond `logRetention`. Used for a folder with many old blocks, because each commit
   * of a running node prunes only a few blocks.
   * @returns true if more old data may remain
   * @throws {TronError} STORAGE_FAILED: the write failed
   */
  prune(blocks: number): boolean {
    const { keptHeight } = this;
    this.pruneChanges();
    const isCut = this.pruneLog(blocks);
    this.blocks.commit();
    return isCut || this.keptHeight > keptHeight;
  }

  /** Seq of the newest entry that all registered readers have processed; Infinity without readers. */
  private get passedByAll(): number {
    return Math.min(...this.readerPositions.values());
  }

  private pruneChanges(): void {
    this.history.forget(this.current, this.flushedSeq, this.passedByAll);
  }

  private pruneLog(count: number): boolean {
    const { keptHeight } = this;
    const seq = Math.min(this.flushedSeq, this.passedByAll);
    return this.pruner.cut(count, this.current, { keptHeight, seq });
  }

  private solidify({ number, id }: BlockRef): void {
    const seq = this.blocks.append({ kind: 'solidified', number, id });
    this.blocks.facts.set(SOLIDIFIED, Buffer.concat([seqKey(number), id]));
    this.current = { ...this.current, seq, solidifiedNumber: number, solidifiedId: copyBytes(id) };
  }

  private uncommittedBytes(): number {
    return this.blocks.uncommittedBytes + this.pending.uncommittedBytes;
  }
}

/** Returns the error for a checkpoint or a marker that the operating system refused to write. */
function notWritten(cause: Error): TronError {
  const text = `cannot write blocks: ${errorText(cause)}; no data was lost; check disk and permissions`;
  return new TronError('STORAGE_FAILED', text, { cause });
}
