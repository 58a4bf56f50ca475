import { checkFreeSpace } from '../../files/free-space.js';
import { seqKey } from '../../log/block-key.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { present } from '../../primitives/assert.js';
import { copyBytes, equalBytes, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import { ChangeSet, encodeChangeSet, inverseChanges, nextDigest, normaliseChanges } from '../state/change-set.js';
import { mismatch } from '../state/pending-state.js';
import type { StateDatabase } from '../state/state-database.js';
import type { StoreId } from '../state/stores.js';
import { Ledger } from './ledger.js';
import { SOLIDIFIED } from './ledger-facts.js';
import type { BlockRef, LedgerOptions, LedgerParts, NewBlock } from './ledger-types.js';
import { BATCH_BYTES_MAX } from './ledger-types.js';
import { LogPruner } from './log-pruner.js';

const BATCH_BLOCKS_MAX = 100;
/** Blocks that leave the log with a commit, beside two for each that comes. */
const BLOCKS_CUT_MIN = 20;

/** The ledger of its one writer: blocks come and are taken back. All reads see what was appended, flushed or not. */
export class WriterLedger extends Ledger {
  private readonly dataDir: string;
  private readonly cutter: LogPruner;
  private totals: NonNullable<ReturnType<StateDatabase['cursor']>>['totals'];
  private waitingBlocks = 0;
  /** Entries up to which readers have come that need the changes of those above, by their names. */
  private readonly holds = new Map<string, number>();

  constructor(options: LedgerOptions, parts: LedgerParts) {
    super(options, parts);
    this.dataDir = options.dataDir;
    const { blocks, state } = parts;
    this.cutter = new LogPruner({ blocks, retention: options.logRetention ?? 'all', log: options.log });
    this.totals = present(state.cursor(), 'a ledger has a state').totals;
  }

  /**
   * Appends the next block, in memory until {@link flush} (done by itself after 100 blocks or 64 MB).
   * @throws {TronError} LOG_HOLE when it does not follow the head, CHANGES_MISMATCH when a change starts from another
   * value, DIGEST_DIFFERS
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
   * Takes the newest block back: its rows get their values from before it, the log a `reverted` entry. Answers the new
   * head.
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
    this.pending.apply(inverseChanges(changes));
    this.history.remove(headNumber, block.seq, changes);
    const seq = this.blocks.append({ kind: 'reverted', number: headNumber, id: headId });
    const head = { number: parent.number, id: copyBytes(parent.id) };
    this.current = { ...this.current, seq, headNumber: head.number, headId: head.id, digest: copyBytes(parent.digest) };
    this.waitingBlocks++;
    return head;
  }

  /**
   * Brings all that was appended onto the disk: first the log, then the checkpoint, then the state; after it nothing of
   * it is lost by a kill or a power failure. @throws {TronError} STORAGE_FAILED; what was flushed before is untouched.
   */
  async flush(): Promise<void> {
    this.flushNow();
  }

  /** A small fact of the writer, which the next commit of entries takes with it. */
  note(name: string, value: Uint8Array): void {
    this.blocks.facts.set(name, value);
  }

  /**
   * Keeps entries above `seq`, and their changes, on the disk for a reader that has come so far, whatever the retention
   * says; `undefined` ends it. A process that starts says it again before the first flush.
   */
  holdChanges(reader: string, seq: number | undefined): void {
    if (seq === undefined) this.holds.delete(reader);
    else this.holds.set(reader, seq);
  }

  /** Flushes and closes. @throws {TronError} as {@link flush} does; the folder is closed and free all the same. */
  override async close(): Promise<void> {
    try {
      this.flushNow();
    } finally {
      await super.close();
    }
    this.parts.checks.close();
  }

  /**
   * Lets some of the blocks leave that `logRetention` does not keep, where a folder holds more of them than running
   * brings.
   * @returns whether there may be more @throws {TronError} STORAGE_FAILED
   */
  prune(blocks: number): boolean {
    const { keptHeight } = this;
    this.forgetChanges();
    const isCut = this.cutLog(blocks);
    this.blocks.commit();
    return isCut || this.keptHeight > keptHeight;
  }

  /** Newest entry that every reader which asked for it has passed. */
  private get passedByAll(): number {
    return Math.min(...this.holds.values());
  }

  private forgetChanges(): void {
    this.history.forget(this.current, this.flushedSeq, this.passedByAll);
  }

  private cutLog(count: number): boolean {
    const { keptHeight } = this;
    const seq = Math.min(this.flushedSeq, this.passedByAll);
    return this.cutter.cut(count, this.current, { keptHeight, seq });
  }

  private solidify({ number, id }: BlockRef): void {
    const seq = this.blocks.append({ kind: 'solidified', number, id });
    this.blocks.facts.set(SOLIDIFIED, Buffer.concat([seqKey(number), id]));
    this.current = { ...this.current, seq, solidifiedNumber: number, solidifiedId: copyBytes(id) };
  }

  private waitingBytes(): number {
    return this.blocks.waitingBytes + this.pending.waitingBytes;
  }

  private flushNow(): void {
    const { seq, headNumber: number, headId: id, digest } = this.current;
    if (seq === this.flushedSeq) return;
    const writes = [...this.pending.writes()];
    const wrong = this.parts.state.findMismatch(writes);
    if (wrong !== undefined) throw mismatch(wrong.ordered[0] as StoreId);
    checkFreeSpace(this.dataDir, this.waitingBytes());
    this.forgetChanges();
    this.cutLog(BLOCKS_CUT_MIN + 2 * this.waitingBlocks);
    this.blocks.commit();
    this.parts.marker.write({ seq, hash: this.blocks.hashOf(seq) });
    const cursor = { seq, number, id, digest };
    this.parts.checkpoints.write({ fromSeq: this.flushedSeq, cursor, writes });
    this.totals = this.parts.state.commit(writes, cursor, this.totals);
    this.bell.ring();
    this.pending.clear();
    this.flushedSeq = seq;
    this.waitingBlocks = 0;
    this.history.trim(this.current);
  }
}
