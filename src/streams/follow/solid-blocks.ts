import { logHole } from '../../log/log-damage.js';
import type { AppliedEntry, LogEntry } from '../../log/log-entry.js';
import type { LogRange } from '../../log/stream/log-pages.js';
import { mapPages, type Page } from '../../log/stream/page.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { BlockPosition } from './block-position.js';
import { ReorgTracker } from './reorg-tracker.js';
import { SolidifiedNumbers } from './solidified-numbers.js';

/**
 * A solidified block, with the height of the newest solidified block (the solidified number) at two times: before this
 * block was applied, and when it became solidified.
 */
export interface SolidBlock {
  readonly entry: AppliedEntry;
  /** Height in the `solidified` entry that solidified the block. */
  readonly solidifiedNumber: number;
  /**
   * Solidified number in the state before this block was applied. After a reorg, it can be below the height in the
   * newest `solidified` entry.
   */
  readonly solidifiedBefore: number;
}

interface SolidBlocksOptions extends Omit<LogRange, 'fromSeq'> {
  readonly ledger: Ledger;
  /** The last forwarded block; undefined to start with genesis. */
  readonly after?: BlockPosition | undefined;
}

/** Thrown if a block was reverted after it had been forwarded as solidified. The stream must stop. */
export class RevertedBlockError extends TronError<'SOLIDIFIED_BLOCK_UNDONE'> {
  constructor(message: string) {
    super('SOLIDIFIED_BLOCK_UNDONE', message);
  }
}

interface Applied {
  readonly seq: number;
  readonly id: Uint8Array;
  readonly solidifiedBefore: number;
}

/**
 * Streams each solidified block above `after` once, in ascending order. The blocks depend only on the log, so a
 * restarted or lagging sink gets the same blocks. If the log does not contain `after` yet (a new folder of the same
 * chain), the stream starts later, when the log contains it.
 * @throws {RevertedBlockError} a reorg replaced a block that was already forwarded
 */
export function solidifiedBlocks({ ledger, after, ...range }: SolidBlocksOptions): AsyncGenerator<Page<SolidBlock>> {
  const cursor = new SolidCursor(ledger, after);
  return mapPages(ledger.pages({ ...range, fromSeq: cursor.fromSeq }), (entries) => cursor.takeAll(entries));
}

/**
 * Reads log entries one by one, and determines the blocks that each entry solidifies. Tracks all applied blocks above
 * the last forwarded block, on the current branch.
 */
export class SolidCursor {
  /** Seq of the log entry that the first call of `take` must receive. */
  readonly fromSeq: number;
  private readonly ledger: Ledger;
  /** Applied blocks that are not reported yet, by height, ascending. */
  private readonly unsolidified = new Map<number, Applied>();
  /** Forwarded blocks that were reverted. If such a block is applied again, its id is removed from this map. */
  private readonly revertedIds = new Map<number, Uint8Array>();
  private readonly passed: BlockPosition | undefined;
  private readonly numbers: SolidifiedNumbers;
  /** Detects which entries belong to a reorg. */
  readonly switches: ReorgTracker;
  private readonly waits: boolean;
  /**
   * Height up to which a reorg solidified blocks that are not reported yet; -1 if all solidified blocks are reported.
   * java-tron reports the blocks of a reorg at the next block that extends the head.
   */
  private deferred = -1;
  private last: number;

  /**
   * Creates a cursor.
   * @param after the last forwarded block; undefined to start with genesis
   * @param waits true to delay the report of blocks that a reorg solidifies until the reorg has ended
   */
  constructor(ledger: Ledger, after: BlockPosition | undefined, waits = true) {
    this.waits = waits;
    const known = after && positionInLog(ledger, after);
    const start = known && switchWindow(ledger, known);
    this.fromSeq = start === undefined ? 0 : start.seq + 1;
    this.ledger = ledger;
    this.passed = after;
    this.last = after?.number ?? -1;
    this.numbers = new SolidifiedNumbers(ledger, start);
    this.switches = new ReorgTracker(start);
  }

  /** Height of the newest solidified block, in the state after the last entry that was read. */
  get number(): number {
    return this.numbers.now;
  }

  /**
   * Yields the blocks that these entries solidify. The entries must follow those of the previous call.
   * @throws {RevertedBlockError} a reorg replaced a block that was already forwarded
   */
  *takeAll(entries: Iterable<LogEntry>): Generator<SolidBlock> {
    for (const entry of entries) yield* this.take(entry);
  }

  /**
   * Yields the blocks that an entry solidifies. The entry must be the successor of the entry of the previous call.
   * @throws {RevertedBlockError} a reorg replaced a block that was already forwarded
   */
  *take(entry: LogEntry): Generator<SolidBlock> {
    if (entry.kind === 'applied') {
      this.applied(entry);
      // Genesis cannot be reverted and has no `solidified` entry, so it is solidified at once.
      if (entry.number === 0) yield* this.solidified(0);
      else if (!this.switches.isReorging && solidifiedBy(this.ledger, entry) === undefined) yield* this.passDeferred();
    } else if (entry.kind === 'base') {
      this.switches.applied(entry.number, entry.id);
      this.numbers.startAt(entry.number);
    } else if (entry.kind === 'reverted') {
      if (entry.number <= this.deferred) yield* this.passDeferred();
      this.reverted(entry.number, entry.id);
    } else if (this.waits && this.switches.isReorging) {
      this.numbers.solidified(entry.number);
      this.deferred = entry.number;
    } else {
      yield* this.solidified(entry.number);
    }
  }

  /**
   * Yields the blocks up to `deferred` that are still solidified. Another reorg may have decreased the solidified
   * number.
   */
  private *passDeferred(): Generator<SolidBlock> {
    const { deferred } = this;
    const number = Math.min(deferred, this.numbers.now);
    if (number >= 0) yield* this.pass(number);
    this.deferred = number < deferred ? deferred : -1;
  }

  private applied(entry: AppliedEntry): void {
    const { number, seq, id } = entry;
    this.switches.applied(number, id);
    const solidifiedBefore = this.numbers.applied(entry);
    const reverted = this.revertedIds.get(number);
    if (reverted !== undefined) {
      if (!equalBytes(reverted, id)) throw revertedBy(number, reverted, id);
      this.revertedIds.delete(number);
      return;
    }
    this.unsolidified.set(number, { seq, id: Uint8Array.from(id), solidifiedBefore });
  }

  private reverted(number: number, id: Uint8Array): void {
    this.switches.reverted();
    this.numbers.reverted(number);
    if (this.unsolidified.delete(number)) return;
    if (number <= this.last) this.revertedIds.set(number, Uint8Array.from(id));
  }

  private *solidified(number: number): Generator<SolidBlock> {
    this.numbers.solidified(number);
    yield* this.pass(number);
  }

  private *pass(number: number): Generator<SolidBlock> {
    this.deferred = -1;
    const [lowest = Number.POSITIVE_INFINITY] = this.unsolidified.keys();
    for (let at = lowest; at <= number; at++) {
      const block = this.unsolidified.get(at);
      if (block === undefined) throw logHole(`block ${at} became solidified, but is missing in the log`);
      this.unsolidified.delete(at);
      if (this.wasPassed(at, block.id)) continue;
      this.last = at;
      const { seq, solidifiedBefore } = block;
      yield { entry: this.ledger.entry(seq) as AppliedEntry, solidifiedNumber: number, solidifiedBefore };
    }
  }

  private wasPassed(number: number, id: Uint8Array): boolean {
    const { passed } = this;
    if (passed === undefined || number > passed.number) return false;
    if (number === passed.number && toHex(id) !== passed.id)
      throw revertedBy(number, Buffer.from(passed.id, 'hex'), id);
    return true;
  }
}

/**
 * Returns the height in the `solidified` entry that a block caused; undefined if the block caused no such entry. Both
 * entries are in one commit, so after a crash either both exist or neither.
 */
export function solidifiedBy(ledger: Ledger, { seq }: AppliedEntry): number | undefined {
  const next = seq + 1 <= ledger.storedSeq ? ledger.entry(seq + 1) : undefined;
  return next?.kind === 'solidified' ? next.number : undefined;
}

function revertedBy(number: number, reverted: Uint8Array, by: Uint8Array): RevertedBlockError {
  return new RevertedBlockError(
    `block ${number} (${toHex(reverted)}) was forwarded as solidified, but the chain replaced it by block ${number} ` +
      `(${toHex(by)}); forwarding stops, and the sent records remain in the target; see docs/errors.md`,
  );
}

/**
 * Returns true if the log contains the block. If false, the folder may contain another chain, or has not reached the
 * block yet.
 */
export function isInLog(ledger: Ledger, position: BlockPosition): boolean {
  return positionInLog(ledger, position) !== undefined;
}

/**
 * Returns the position with the seq of this log; undefined if the log does not contain the block. A log in another
 * folder of the same chain has other seqs.
 */
function positionInLog(ledger: Ledger, { seq, number, id }: BlockPosition): BlockPosition | undefined {
  const bytes = Buffer.from(id, 'hex');
  if (ledger.hasEntry(seq)) {
    const entry = ledger.entry(seq);
    if (entry.kind === 'applied' && equalBytes(entry.id, bytes)) return { seq, number, id };
  }
  const entry = ledger.entryOfId(bytes);
  return entry && entry.seq <= ledger.storedSeq ? { seq: entry.seq, number, id } : undefined;
}

/**
 * A resuming sink reads this number of blocks below its last forwarded block again. These blocks show if the last
 * forwarded block was part of a reorg.
 */
export const SWITCH_BLOCKS = 64;

function switchWindow(ledger: Ledger, known: BlockPosition): BlockPosition {
  let position = known;
  for (let back = 0; back < SWITCH_BLOCKS; back++) {
    const block = position.number === 0 ? undefined : ledger.entryOfId(Buffer.from(position.id, 'hex'));
    const parent = block && ledger.entryOfId(block.parentId);
    if (parent === undefined || parent.seq >= position.seq) break;
    position = { seq: parent.seq, number: parent.number, id: toHex(parent.id) };
  }
  return position;
}
