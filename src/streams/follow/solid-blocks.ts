import type { AppliedEntry, LogEntry } from '../../log/log-entry.js';
import { equalBytes, toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import type { BlockPosition } from './block-position.js';
import { ReorgTracker } from './reorgs.js';
import { SolidifiedNumbers } from './solidified-numbers.js';

/** An irreversible block with what the log says around it. */
export interface SolidBlock {
  readonly entry: AppliedEntry;
  /** Number in the `solidified` entry that made the block irreversible. */
  readonly solidifiedNumber: number;
  /**
   * What the rules held for the newest irreversible block before this one was applied; after a switch lower than the
   * log's number.
   */
  readonly solidifiedBefore: number;
}

interface SolidBlocksOptions {
  readonly ledger: Ledger;
  /** The last block that was passed on; without it the first one is genesis. */
  readonly after?: BlockPosition | undefined;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/** The chain took back a block that had been passed on as irreversible: nothing more may follow it. */
export class UndoneBlockError extends TronError<'SOLIDIFIED_BLOCK_UNDONE'> {
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
 * Every irreversible block after `after`, ascending, each once, however far the irreversible height jumps: a pure
 * function of the log, so that a restart, or a sink that lags, gives the same blocks. Where the log does not hold
 * `after` yet (a new folder of the same chain) it begins when the log has come to it.
 * @throws {UndoneBlockError} names the block that was passed on and the one that took its place
 */
export async function* solidBlocks({
  ledger,
  after,
  follow = true,
  signal,
}: SolidBlocksOptions): AsyncGenerator<SolidBlock> {
  const cursor = new SolidCursor(ledger, after);
  for await (const entry of ledger.entries({ fromSeq: cursor.fromSeq, follow, ...(signal && { signal }) })) {
    yield* cursor.take(entry);
  }
}

/** Follows the branches of the log between the last block passed on and the head, entry by entry. */
export class SolidCursor {
  /** The first entry that it has to see. */
  readonly fromSeq: number;
  private readonly ledger: Ledger;
  private readonly waiting = new Map<number, Applied>();
  /** Blocks that were passed on and taken back, until the same ones are applied again. */
  private readonly undone = new Map<number, Uint8Array>();
  private readonly passed: BlockPosition | undefined;
  private readonly numbers: SolidifiedNumbers;
  /** Which entries are part of a switch. */
  readonly switches: ReorgTracker;
  private readonly waits: boolean;
  /** Became irreversible during a switch: the reference notices at the next block that simply extends the head. */
  private deferred = -1;
  private last: number;

  /**
   * @param after the last block that was passed on; without it the first one is genesis
   * @param waits whether what becomes irreversible during a switch waits for the block behind it
   */
  constructor(ledger: Ledger, after: BlockPosition | undefined, waits = true) {
    this.waits = waits;
    const known = after && placeInLog(ledger, after);
    const start = known && switchWindow(ledger, known);
    this.fromSeq = start === undefined ? 0 : start.seq + 1;
    this.ledger = ledger;
    this.passed = after;
    this.last = after?.number ?? -1;
    this.numbers = new SolidifiedNumbers(ledger, start);
    this.switches = new ReorgTracker(start);
  }

  /** Irreversible number that the rules hold after the entry that was taken last. */
  get number(): number {
    return this.numbers.now;
  }

  /** The blocks that become irreversible by the next entry. @throws {UndoneBlockError} */
  *take(entry: LogEntry): Generator<SolidBlock> {
    if (entry.kind === 'applied') {
      this.applied(entry);
      // Nothing can take genesis back, and no entry says so.
      if (entry.number === 0) yield* this.solidified(0);
      else if (!this.switches.isReorging && solidifiedBy(this.ledger, entry) === undefined) yield* this.passDeferred();
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

  /** As far as it is irreversible still: another switch may have gone back to less. */
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
    const undone = this.undone.get(number);
    if (undone !== undefined) {
      if (!equalBytes(undone, id)) throw undoneBy(number, undone, id);
      this.undone.delete(number);
      return;
    }
    this.waiting.set(number, { seq, id: Uint8Array.from(id), solidifiedBefore });
  }

  private reverted(number: number, id: Uint8Array): void {
    this.switches.reverted();
    this.numbers.reverted(number);
    if (this.waiting.delete(number)) return;
    if (number <= this.last) this.undone.set(number, Uint8Array.from(id));
  }

  private *solidified(number: number): Generator<SolidBlock> {
    this.numbers.solidified(number);
    yield* this.pass(number);
  }

  private *pass(number: number): Generator<SolidBlock> {
    this.deferred = -1;
    for (let at = Math.min(...this.waiting.keys()); at <= number; at++) {
      const block = this.waiting.get(at);
      if (block === undefined) throw new TronError('LOG_HOLE', `block ${at} became irreversible and is not in the log`);
      this.waiting.delete(at);
      if (this.wasPassed(at, block.id)) continue;
      this.last = at;
      const { seq, solidifiedBefore } = block;
      yield { entry: this.ledger.entry(seq) as AppliedEntry, solidifiedNumber: number, solidifiedBefore };
    }
  }

  private wasPassed(number: number, id: Uint8Array): boolean {
    const { passed } = this;
    if (passed === undefined || number > passed.number) return false;
    if (number === passed.number && toHex(id) !== passed.id) throw undoneBy(number, Buffer.from(passed.id, 'hex'), id);
    return true;
  }
}

/**
 * Number of the `solidified` entry that a block caused. Both are one commit, so the one is on the disk with the other.
 */
export function solidifiedBy(ledger: Ledger, { seq }: AppliedEntry): number | undefined {
  const next = seq + 1 <= ledger.storedSeq ? ledger.entry(seq + 1) : undefined;
  return next?.kind === 'solidified' ? next.number : undefined;
}

function undoneBy(number: number, undone: Uint8Array, by: Uint8Array): UndoneBlockError {
  return new UndoneBlockError(
    `block ${number} (${toHex(undone)}) was forwarded as irreversible, but the chain took it back for block ${number} ` +
      `(${toHex(by)}): forwarding stops, nothing that was sent is retracted`,
  );
}

/** Whether the log holds the block: another folder may still be on the way to it, or hold another chain. */
export function isInLog(ledger: Ledger, place: BlockPosition): boolean {
  return placeInLog(ledger, place) !== undefined;
}

/** The place with this log's seq: another folder of the same chain has other numbers. */
function placeInLog(ledger: Ledger, { seq, number, id }: BlockPosition): BlockPosition | undefined {
  const bytes = Buffer.from(id, 'hex');
  if (seq <= ledger.storedSeq) {
    const entry = ledger.entry(seq);
    if (entry.kind === 'applied' && equalBytes(entry.id, bytes)) return { seq, number, id };
  }
  const entry = ledger.entryOfId(bytes);
  return entry && entry.seq <= ledger.storedSeq ? { seq: entry.seq, number, id } : undefined;
}

/** Blocks before the one passed on at which reading starts again: far enough to see a switch that it came with. */
const SWITCH_BLOCKS = 64;

function switchWindow(ledger: Ledger, known: BlockPosition): BlockPosition {
  let place = known;
  for (let back = 0; back < SWITCH_BLOCKS; back++) {
    const entry = ledger.entry(place.seq) as AppliedEntry;
    const parent = entry.number === 0 ? undefined : ledger.entryOfId(entry.parentId);
    if (parent === undefined || parent.seq >= place.seq) break;
    place = { seq: parent.seq, number: parent.number, id: toHex(parent.id) };
  }
  return place;
}
