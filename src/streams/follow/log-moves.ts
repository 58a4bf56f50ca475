import { logHole } from '../../log/log-damage.js';
import type { LogEntry } from '../../log/log-entry.js';
import type { LogRange } from '../../log/stream/log-pages.js';
import { mapPages, type Page } from '../../log/stream/page.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type BlockContent, readBlockContent, readBlockEntry } from './block-content.js';
import type { BlockPosition } from './block-position.js';
import { type SolidBlock, SolidCursor, solidifiedBy } from './solid-blocks.js';

/** One log entry as an event: a block was applied, a block was reverted, or blocks were solidified. */
export interface LogMove {
  readonly change: LogEntry['kind'];
  readonly seq: number;
  /** Height of the block in the entry. */
  readonly number: number;
  /** Block id in the entry, in hex. */
  readonly id: string;
  /** Content of the applied or reverted block; undefined for a `solidified` entry. */
  readonly block: BlockContent | undefined;
  /** Newly solidified blocks, ascending. */
  readonly solid: readonly BlockContent[];
  /** For an applied block: true if the next entry is a `solidified` entry that this block caused. */
  readonly isFollowed?: boolean;
  /**
   * For a `solidified` entry: the block that caused the entry. Undefined if the previous entry is not the `applied`
   * entry of a block.
   */
  readonly cause?: BlockContent | undefined;
}

/** Rules by which a java-tron release reports reorgs and solidified blocks. */
export interface MoveForm {
  /**
   * True to report the blocks of a reorg together, after the end of the reorg, with the solidified number at that time.
   * Reference: Manager.reApplyBlockEvents.
   */
  readonly wholeSwitches?: boolean;
  /**
   * True to report only the changes that java-tron's event service sees. This service polls after each imported block.
   * It does not see failed reorgs, or solidified blocks at the head's height. It reports each block with the solidified
   * number at the time when it first saw the block. Reference: BlockEventLoad, BlockEventGet.
   */
  readonly polled?: boolean;
}

export interface LogMovesOptions extends Omit<LogRange, 'fromSeq'> {
  readonly ledger: Ledger;
  /** The last forwarded entry; undefined to start with the entry of block 1. */
  readonly after?: BlockPosition | undefined;
  /**
   * A solidified block. Only blocks above this block are reported as solidified; undefined to report all blocks above
   * the newest solidified block at `after`.
   */
  readonly floor?: BlockPosition | undefined;
  readonly form?: MoveForm;
}

/**
 * Streams every log entry after `after` once, in log order. Does not wait for solidification, so consumers must handle
 * reverted blocks.
 * @throws {RevertedBlockError} a solidified block was reverted
 * @throws {TronError} SEQ_UNKNOWN: the log does not contain a requested entry
 */
export async function* logMoves(options: LogMovesOptions): AsyncGenerator<Page<LogMove>> {
  const { ledger, after } = options;
  const reader = new MoveReader(options);
  const isNew = ({ seq }: LogMove): boolean => after === undefined || seq > after.seq;
  yield* mapPages(ledger.pages({ ...options, fromSeq: reader.fromSeq }), (entries) =>
    entries.flatMap((entry) => reader.take(entry).filter(isNew)),
  );
  yield { items: reader.delayedMoves().filter(isNew), isNewest: true };
}

/** Converts log entries to `LogMove` events, in the order of the log. */
class MoveReader {
  private readonly ledger: Ledger;
  private readonly form: MoveForm;
  private readonly cursor: SolidCursor;
  private readonly emitsGenesis: boolean;
  private early: SolidBlock[] = [];
  /**
   * Events that are delayed until the end of the reorg to which they belong. Each has the blocks that its log entry
   * solidifies.
   */
  private delayed: (readonly [move: LogMove, solid: readonly SolidBlock[]])[] = [];
  /** Block of the previous entry; undefined if that entry did not apply a block. */
  private cause: BlockContent | undefined;
  /**
   * Solidified number at the time when the polling service first reported an unsolidified block. Keys are the seqs of
   * these blocks.
   */
  private readonly solidifiedWhenSeen = new Map<number, number>();

  constructor({ ledger, after, floor, form = {} }: LogMovesOptions) {
    this.ledger = ledger;
    this.form = form;
    const newest = after && newestSolid(ledger, after);
    const passed = floor !== undefined && floor.number > (newest?.number ?? 0) ? floor : newest;
    this.cursor = new SolidCursor(ledger, passed, form.polled !== true);
    this.emitsGenesis = after === undefined;
  }

  get fromSeq(): number {
    return this.cursor.fromSeq;
  }

  take(entry: LogEntry): LogMove[] {
    const { ledger, cursor, form } = this;
    const before = cursor.number;
    const solid = [...this.early, ...cursor.take(entry)];
    // java-tron reports genesis as solidified after block 1. It never reports genesis as applied.
    this.early = [];
    if (entry.number === 0) {
      if (this.emitsGenesis) this.early = solid;
      return [];
    }
    // A `base` entry has an imported state, which is not a change of the chain.
    if (entry.kind === 'base') return [];
    const by = entry.kind === 'applied' ? solidifiedBy(ledger, entry) : undefined;
    const block = blockOf(ledger, entry, { before, after: by ?? cursor.number });
    const { kind: change, seq, number } = entry;
    const { cause } = this;
    this.cause = change === 'applied' ? block : undefined;
    const move = { change, seq, number, id: toHex(entry.id), block, isFollowed: by !== undefined, cause };
    this.delayed.push([{ ...move, solid: [] }, solid]);
    const isWhole = form.polled === true || form.wholeSwitches === true;
    return isWhole && cursor.switches.isUnderWay ? [] : this.delayedMoves();
  }

  /** Returns the delayed events with the blocks that their entries solidify, and clears the list. */
  delayedMoves(): LogMove[] {
    const { delayed, cursor, form } = this;
    this.delayed = [];
    const last = delayed.findLast(([{ change }]) => change === 'applied')?.[0].block;
    const isUnseen = form.polled === true && cursor.switches.hasFailed;
    const seen = delayed.map(([move, solid]) => {
      const block = move.block && !isUnseen ? this.asSeen(move.change, move.block, last ?? move.block) : undefined;
      return [{ ...move, block }, solid] as const;
    });
    // The polling service reports solidified blocks after all changes of the head, so the last event contains all of
    // them.
    const all = form.polled === true ? seen.flatMap(([, solid]) => solid) : [];
    return seen.map(([move, solid], at) => {
      const own = form.polled !== true ? solid : at === seen.length - 1 ? all : [];
      return { ...move, solid: own.map((block) => this.solidContent(block)) };
    });
  }

  /**
   * Returns the block of an event with the solidified number that java-tron reports.
   * @param last the newest block of the same reorg; without a reorg, `block` itself
   */
  private asSeen(change: LogMove['change'], block: BlockContent, last: BlockContent): BlockContent {
    const { seq } = block;
    if (this.form.polled !== true)
      return change === 'applied' && last !== block ? { ...block, solidifiedNumber: last.solidifiedNumber } : block;
    const known = change === 'reverted' ? this.solidifiedWhenSeen.get(seq) : undefined;
    const number = known ?? belowHead(last.solidifiedNumber, last.number);
    if (change === 'applied') this.solidifiedWhenSeen.set(seq, number);
    else this.solidifiedWhenSeen.delete(seq);
    return { ...block, solidifiedNumber: number, solidifiedBefore: number };
  }

  private solidContent(solid: SolidBlock): BlockContent {
    const block = readBlockContent(this.ledger, solid);
    if (this.form.polled !== true) return block;
    const number = this.solidifiedWhenSeen.get(block.seq) ?? belowHead(block.solidifiedNumber, block.number);
    this.solidifiedWhenSeen.delete(block.seq);
    return { ...block, solidifiedNumber: number, solidifiedBefore: number };
  }
}

/**
 * Returns the solidified number that java-tron reports, which is always below the head. On a chain with one witness,
 * the head itself is solidified, so this function returns the height below the head.
 */
export const belowHead = (solidified: number, head: number): number => Math.max(0, Math.min(solidified, head - 1));

/** Returns true if the entry of this log at `seq` has the height and block id of the position. */
export function isEntryInLog(ledger: Ledger, { seq, number, id }: BlockPosition): boolean {
  if (!ledger.hasEntry(seq)) return false;
  const entry = ledger.entry(seq);
  return entry.number === number && toHex(entry.id) === id;
}

function blockOf(
  ledger: Ledger,
  entry: LogEntry,
  solidified: { readonly before: number; readonly after: number },
): BlockContent | undefined {
  if (entry.kind === 'solidified') return undefined;
  const applied = entry.kind === 'applied' ? entry : appliedOf(ledger, entry);
  const solidifiedBefore = solidified.before;
  // For a reverted block, java-tron reports the solidified number before the revert.
  const solidifiedNumber = entry.kind === 'applied' ? solidified.after : solidifiedBefore;
  return { ...readBlockEntry(ledger, applied), solidifiedNumber, solidifiedBefore };
}

/** Returns the `applied` entry of a reverted block: the newest earlier `applied` entry with the same height. */
function appliedOf(ledger: Ledger, reverted: LogEntry) {
  for (let seq = reverted.seq - 1; seq >= 0; seq--) {
    const entry = ledger.entry(seq);
    if (entry.kind === 'applied' && entry.number === reverted.number) return entry;
  }
  throw logHole(`entry ${reverted.seq} reverts block ${reverted.number}, which no earlier entry applies`);
}

/** Returns the block that was the newest solidified block at an entry; undefined if only genesis was solidified. */
function newestSolid(ledger: Ledger, { seq }: BlockPosition): BlockPosition | undefined {
  for (let at = Math.min(seq, ledger.storedSeq); at > 0; at--) {
    const entry = ledger.entry(at);
    if (entry.kind !== 'solidified') continue;
    const applied = ledger.entryOfId(entry.id);
    if (applied !== undefined) return { seq: applied.seq, number: entry.number, id: toHex(entry.id) };
  }
  return undefined;
}
