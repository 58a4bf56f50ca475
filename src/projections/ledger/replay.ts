import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type FolderLock, lockFolder } from '../../files/folder-lock.js';
import { BlockLog } from '../../log/block-log.js';
import { logHole } from '../../log/log-damage.js';
import { type AppliedEntry, NO_HASH } from '../../log/log-entry.js';
import { requireLog } from '../../log/log-file.js';
import { EMPTY_BYTES, equalBytes, toHex } from '../../primitives/bytes.js';
import { TronError, UsageError } from '../../primitives/errors.js';
import { BASE_FOLDER } from '../checkpoints/base-rows.js';
import { baseCursor, loadBase } from '../checkpoints/load-base.js';
import { ChangeSet, encodeChangeSet, type KeyedChange, nextDigest, normaliseChanges } from '../state/change-set.js';
import { isSame } from '../state/fold.js';
import { PendingState } from '../state/pending-state.js';
import type { StateCursor } from '../state/state-cursor.js';
import { describeRow, StateDatabase } from '../state/state-database.js';
import type { StateProjection } from '../state/state-projection.js';
import type { RowChange, StateReader } from '../state/state-reader.js';
import { storeIds, storeName } from '../state/stores.js';
import { verifyInChild } from '../verify/verify-in-child.js';
import { BATCH_BYTES_MAX } from './ledger-types.js';
import { openLedger } from './open-ledger.js';

interface ReplayOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /**
   * Height of the block after which the replay starts. The state at this height must be retained. The default is
   * genesis.
   */
  readonly fromNumber?: number;
  /** Folder below `dataDir` for the new state. Only the default folder replaces `state` at the end. */
  readonly folder?: string;
}

const BATCH_BLOCKS = 100;
const NEW_STATE = 'state.new';

/**
 * Prepares a rebuild of the state from the blocks of the log. The caller executes the blocks. The old state remains
 * in use until {@link Replay.finish}.
 * @throws {UsageError} the data folder has no log, or another process uses it; the log does not contain block
 * `fromNumber`; `fromNumber` is undefined, but the first blocks of the log were pruned
 * @throws {DamageError} the log is damaged
 * @throws {TronError} HISTORY_NOT_KEPT: the state at `fromNumber` is not retained
 */
export async function openReplay(options: ReplayOptions): Promise<Replay> {
  const { dataDir, fromNumber, folder = NEW_STATE } = options;
  requireLog(dataDir);
  const lock = await lockFolder(dataDir);
  let state: StateDatabase | undefined;
  try {
    await verifyInChild(dataDir, { part: fromNumber === undefined ? 'log' : 'all' });
    rmSync(join(dataDir, folder), { recursive: true, force: true });
    state = new StateDatabase(dataDir, { readOnly: false, folder });
    const start = fromNumber === undefined ? undefined : await copyState(options, state, fromNumber);
    return new Replay({ dataDir, folder, lock, state, blocks: new BlockLog({ dataDir, readOnly: false }) }, start);
  } catch (error) {
    await state?.close();
    lock.close();
    throw error;
  }
}

/**
 * Opens a replay from genesis into a separate temporary state, while a node uses the data folder. {@link
 * Replay.apply} returns the changes of each block. First deletes the folder of an earlier temporary state. The caller
 * must delete the folder afterwards.
 * @param projection builds only the rows of this projection; blocks cannot be executed on these rows
 * @throws {UsageError} the first blocks of the log were pruned; {DamageError} the log or a file of the base is
 * damaged
 */
export function openSideReplay(dataDir: string, folder: string, projection?: StateProjection): Replay {
  rmSync(join(dataDir, folder), { recursive: true, force: true });
  const state = new StateDatabase(dataDir, { readOnly: false, folder });
  const blocks = new BlockLog({ dataDir, readOnly: true });
  return new Replay({ dataDir, folder, lock: undefined, state, blocks, projection }, undefined);
}

interface Parts {
  readonly dataDir: string;
  readonly folder: string;
  /** Lock of the data folder; undefined if another process owns the log. */
  readonly lock: FolderLock | undefined;
  readonly state: StateDatabase;
  readonly blocks: BlockLog;
  /** The only projection to build. If undefined, all projections are built. */
  readonly projection?: StateProjection | undefined;
}

/**
 * Iterates over the blocks of the log and builds the state from their changes. {@link apply} takes changes that the
 * caller computed by execution; {@link applyLogged} takes changes from the log.
 */
export class Replay {
  /** State after the newest applied block. */
  readonly head: StateReader;
  private readonly parts: Parts;
  private readonly pending: PendingState;
  private totals: StateCursor['totals'];
  private position: { readonly number: number; readonly id: Uint8Array; readonly digest: Uint8Array };
  private uncommittedBlocks = 0;

  constructor(parts: Parts, start: StateCursor | undefined) {
    this.parts = parts;
    this.pending = new PendingState(parts.state);
    this.head = this.pending;
    this.totals = start?.totals ?? new Map();
    this.position = start ?? { number: -1, id: NO_HASH, digest: NO_HASH };
    if (start === undefined) this.applyFirst();
  }

  /** Id of the genesis block of the logged chain. */
  get genesisId(): Uint8Array | undefined {
    const { blocks } = this.parts;
    return blocks.start.base?.genesisId ?? blocks.index.heightRow(0)?.id;
  }

  /** Id of the newest applied block. */
  get headId(): Uint8Array {
    return this.position.id;
  }

  /** State digest after the newest applied block. */
  get digest(): Uint8Array {
    return this.position.digest;
  }

  /** Height of the newest applied block. */
  get number(): number {
    return this.position.number;
  }

  /** Height of the head of the log. The replay is complete when {@link number} equals this height. */
  get toNumber(): number {
    let number = this.position.number;
    const { blocks } = this.parts;
    for (let step = 2 ** 40; step >= 1; step /= 2)
      if (blocks.index.heightRow(number + step) !== undefined) number += step;
    return number;
  }

  /**
   * Returns the id of the canonical block at a height; undefined if the block is above the newest applied block, or
   * unknown.
   */
  blockIdAt(number: number): Uint8Array | undefined {
    return number > this.position.number ? undefined : this.parts.blocks.index.heightRow(number)?.id;
  }

  /**
   * Returns the bytes of a block up to the newest applied block.
   * @throws {TronError} LOG_HOLE: the block is not in the log, or not applied yet
   */
  blockAt(number: number): Uint8Array {
    const entry = number > this.position.number ? undefined : this.parts.blocks.index.block(number);
    if (entry === undefined) throw logHole(`block ${number} is not in the log, or not applied yet`);
    return entry.block;
  }

  /**
   * Returns a block id like {@link blockIdAt}. For a block below the start of the log, only the first 16 bytes may be
   * known.
   */
  recentIdAt(number: number): Uint8Array | undefined {
    return number > this.position.number ? undefined : this.parts.blocks.index.recentIdAt(number);
  }

  /** Returns true if a block up to the newest applied block contains a transaction. */
  hasTransaction(id: Uint8Array): boolean {
    const position = this.parts.blocks.index.transaction(id);
    return position !== undefined && position.number <= this.position.number;
  }

  /** Returns the block to execute next; undefined at the head of the log. */
  next(): AppliedEntry | undefined {
    return this.parts.blocks.index.block(this.position.number + 1);
  }

  /** Refreshes the log, so that the replay sees entries that a running node has appended since the last refresh. */
  refresh(): void {
    this.parts.blocks.refreshForReader();
  }

  /**
   * Applies the changes from the execution of the block that {@link next} returned.
   * @returns the changes as a `changes` record
   * @throws {TronError} REPLAY_DIFFERS: the digest differs from the digest in the log; the text names the first
   * mismatched row if the log still has the changes of the block. LOG_HOLE: the replay is at the head of the log.
   * CHANGES_MISMATCH: the old value of a change differs from the row
   */
  apply(changes: Iterable<RowChange>, internalTransactions: Uint8Array = EMPTY_BYTES): Buffer {
    const block = this.next();
    if (block === undefined)
      throw logHole(`a replay received row changes after block ${this.number}, the head of the log`);
    const rows = normaliseChanges(changes);
    const record = encodeChangeSet(rows, internalTransactions);
    const set = new ChangeSet(record);
    const digest = nextDigest(this.position.digest, block.id, set);
    if (!equalBytes(digest, block.digest)) throw this.differs(block, rows);
    this.pending.apply(this.ownRows(rows));
    this.position = { number: block.number, id: Buffer.from(block.id), digest };
    this.uncommittedBlocks++;
    if (this.uncommittedBlocks >= BATCH_BLOCKS || this.pending.uncommittedBytes >= BATCH_BYTES_MAX)
      this.commit(block.seq);
    return record;
  }

  /**
   * Applies the stored changes of the block that {@link next} returned, without execution.
   * @throws {TronError} HISTORY_NOT_KEPT: the changes are not retained, or the replay is at the head of the log.
   * REPLAY_DIFFERS, CHANGES_MISMATCH: as for {@link apply}
   */
  applyLogged(): void {
    const block = this.next();
    const bytes = block && this.parts.blocks.changes(block.seq);
    if (bytes === undefined)
      throw new TronError(
        'HISTORY_NOT_KEPT',
        `the row changes of block ${this.number + 1} were deleted; tronicle.history.retention sets the number of blocks to keep`,
      );
    this.apply(new ChangeSet(bytes).rows());
  }

  /**
   * Commits and closes the new state. If the replay used the default folder, the new state then replaces the old
   * state.
   * @throws {TronError} LOG_HOLE: the replay is not at the head of the log
   */
  async finish(): Promise<void> {
    const { blocks, dataDir, folder } = this.parts;
    if (this.next() !== undefined)
      throw logHole(`a replay ended at block ${this.number}, but the log contains more blocks`);
    this.commit(blocks.lastSeq);
    await this.close();
    if (folder !== NEW_STATE) return;
    rmSync(join(dataDir, 'state'), { recursive: true, force: true });
    renameSync(join(dataDir, folder), join(dataDir, 'state'));
  }

  /** Closes log, state and lock. Without {@link finish}, the old state stays in use. */
  async close(): Promise<void> {
    const { state, blocks, lock } = this.parts;
    await state.close();
    await blocks.close();
    lock?.close();
  }

  private applyFirst(): void {
    const { blocks, state, dataDir, projection } = this.parts;
    const { base, cut } = blocks.start;
    if (cut !== undefined) {
      throw new UsageError(
        `the log starts after block ${cut.number}, because older blocks were deleted (tronicle.log.retention); start the replay with --from at a height whose state is stored`,
      );
    }
    if (base === undefined) {
      this.applyGenesis();
      return;
    }
    const stores = projection?.storeIds;
    const cursor = loadBase({ folder: join(dataDir, BASE_FOLDER), state, cursor: baseCursor(base), stores });
    this.totals = cursor.totals;
    this.position = cursor;
  }

  private applyGenesis(): void {
    const { blocks } = this.parts;
    const seq = blocks.index.heightRow(0)?.seq ?? 0;
    const bytes = blocks.changes(seq);
    const genesis = blocks.index.block(0);
    if (bytes === undefined || genesis === undefined)
      throw logHole('the log does not contain the genesis block with its row changes');
    const set = new ChangeSet(bytes);
    this.pending.apply(this.ownRows([...set.rows()]));
    this.position = { number: 0, id: Buffer.from(genesis.id), digest: nextDigest(NO_HASH, undefined, set) };
    this.commit(seq);
  }

  private ownRows(rows: readonly KeyedChange[]): readonly KeyedChange[] {
    const { projection } = this.parts;
    return projection === undefined ? rows : rows.filter(({ store }) => projection.storeIds.includes(store));
  }

  private commit(seq: number): void {
    const writes = [...this.pending.writes()];
    const wrong = this.parts.state.findMismatch(writes);
    if (wrong)
      throw new TronError(
        'CHANGES_MISMATCH',
        `internal error: the old value of a change of ${describeRow(wrong.ordered)} differs from the value of the row; run 'tronicle verify' and report the output`,
      );
    this.totals = this.parts.state.commit(writes, { seq, ...this.position }, this.totals);
    this.pending.clear();
    this.uncommittedBlocks = 0;
  }

  /**
   * Returns the error for a digest mismatch. If the changes in the log are retained, the text names the first
   * mismatched row.
   */
  private differs(block: AppliedEntry, rows: readonly KeyedChange[]): TronError {
    const start = `executing block ${block.number} (${toHex(block.id)}) again leads to another state than in the log`;
    const bytes = this.parts.blocks.changes(block.seq);
    if (bytes === undefined) return replayDiffers(start);
    const ours = new Map(rows.map((row) => [row.text, row]));
    for (const row of new ChangeSet(bytes).rows()) {
      const mine = ours.get(row.text);
      ours.delete(row.text);
      if (mine === undefined || !isSame(mine.after, row.after))
        return mismatchedRow(start, row, mine?.after, row.after);
    }
    const [extra] = ours.values();
    return extra ? mismatchedRow(start, extra, extra.after, undefined) : replayDiffers(start);
  }
}

async function copyState(options: ReplayOptions, target: StateDatabase, number: number): Promise<StateCursor> {
  const { dataDir, log } = options;
  const ledger = await openLedger({ dataDir, log, retention: 'all', checkpointVersion: 2, readOnly: true });
  try {
    const block = ledger.block(number);
    if (block === undefined) throw new UsageError(`block ${number} is not in the log`);
    const view = ledger.at(number);
    let totals: StateCursor['totals'] = new Map();
    const pending = new PendingState(target);
    const position = { seq: block.seq, number, id: Buffer.from(block.id), digest: Buffer.from(block.digest) };
    for (const store of storeIds) {
      for (const { key, value } of view.range(store)) {
        pending.apply(normaliseChanges([{ store, key, before: undefined, after: value }]));
        if (pending.uncommittedBytes < BATCH_BYTES_MAX) continue;
        totals = target.commit([...pending.writes()], position, totals);
        pending.clear();
      }
    }
    totals = target.commit([...pending.writes()], position, totals);
    return { ...position, totals };
  } finally {
    await ledger.close();
  }
}

function mismatchedRow(
  start: string,
  row: KeyedChange,
  ours: Uint8Array | undefined,
  theirs: Uint8Array | undefined,
): TronError {
  const text = (value: Uint8Array | undefined): string => (value === undefined ? 'no row' : toHex(value));
  const where = `row ${toHex(row.key)} of store ${storeName(row.store)}`;
  return replayDiffers(`${start}: ${where} is ${text(ours)}, expected ${text(theirs)}`);
}

function replayDiffers(finding: string): TronError {
  const advice = "use the configuration with which the data folder was created (-c), or run 'tronicle verify'";
  return new TronError('REPLAY_DIFFERS', `${finding}; ${advice}`);
}
