import type { LogEntry } from '../../log/log-entry.js';
import { toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type BlockContent, readBlockContent, readBlockEntry } from './block-content.js';
import type { BlockPosition } from './block-position.js';
import { type SolidBlock, SolidCursor, solidifiedBy } from './solid-blocks.js';

/** One entry of the log: a block joined the chain, was taken back, or made others irreversible. */
export interface LogMove {
  readonly change: LogEntry['kind'];
  readonly seq: number;
  /** Number and id (hex) in the entry. */
  readonly number: number;
  readonly id: string;
  /** The block that joined or was taken back. */
  readonly block: BlockContent | undefined;
  /** Blocks that are irreversible now, ascending. */
  readonly solid: readonly BlockContent[];
  /** Of a block that joined: whether the next entry is what it made irreversible. */
  readonly isFollowed?: boolean;
  /** The block that made others irreversible, where its entry is the one before. */
  readonly cause?: BlockContent | undefined;
}

/** How a release tells what is irreversible. */
export interface MoveForm {
  /**
   * The blocks of a switch are told when it is over, and of what is irreversible then.
   * Reference: Manager.reApplyBlockEvents.
   */
  readonly wholeSwitches?: boolean;
  /**
   * As somebody sees it who comes behind each push: nothing of a switch that fails, nothing irreversible at the head's
   * own height, and of a block always what it was when it was seen first. Reference: BlockEventLoad, BlockEventGet.
   */
  readonly polled?: boolean;
}

export interface LogMovesOptions {
  readonly ledger: Ledger;
  /** The last entry that was passed on; without it the first one is that of block 1. */
  readonly after?: BlockPosition | undefined;
  /** An irreversible block: neither it nor those below are told as irreversible. */
  readonly floor?: BlockPosition | undefined;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
  readonly form?: MoveForm;
}

/**
 * Every entry of the log after `after`, in order, each once: for those who cannot wait until blocks are irreversible,
 * and take back what is taken back. A block that was irreversible and is undone all the same ends it. @throws
 * {UndoneBlockError | TronError} SEQ_UNKNOWN
 */
export async function* logMoves(options: LogMovesOptions): AsyncGenerator<LogMove> {
  const { ledger, after, follow = true, signal } = options;
  const reader = new MoveReader(options);
  const isNew = ({ seq }: LogMove): boolean => after === undefined || seq > after.seq;
  for await (const entry of ledger.entries({ fromSeq: reader.fromSeq, follow, ...(signal && { signal }) }))
    yield* reader.take(entry).filter(isNew);
  yield* reader.rest().filter(isNew);
}

/** Makes moves of the log's entries, one after the other. */
class MoveReader {
  private readonly ledger: Ledger;
  private readonly form: MoveForm;
  private readonly cursor: SolidCursor;
  private readonly tellsGenesis: boolean;
  private early: SolidBlock[] = [];
  /** Moves of a switch that is not over, without what they made irreversible. */
  private held: (readonly [move: LogMove, solid: readonly SolidBlock[]])[] = [];
  /** The block of the entry before, if it joined. */
  private cause: BlockContent | undefined;
  /** By seq of blocks that are not irreversible yet: what was irreversible when they were seen first. */
  private readonly seen = new Map<number, number>();

  constructor({ ledger, after, floor, form = {} }: LogMovesOptions) {
    this.ledger = ledger;
    this.form = form;
    const newest = after && newestSolid(ledger, after);
    const passed = floor !== undefined && floor.number > (newest?.number ?? 0) ? floor : newest;
    this.cursor = new SolidCursor(ledger, passed, form.polled !== true);
    this.tellsGenesis = after === undefined;
  }

  get fromSeq(): number {
    return this.cursor.fromSeq;
  }

  take(entry: LogEntry): LogMove[] {
    const { ledger, cursor, form } = this;
    const before = cursor.number;
    const solid = [...this.early, ...cursor.take(entry)];
    // The reference names genesis irreversible behind the first block, and never as a block that joined.
    this.early = [];
    if (entry.number === 0) {
      if (this.tellsGenesis) this.early = solid;
      return [];
    }
    const by = entry.kind === 'applied' ? solidifiedBy(ledger, entry) : undefined;
    const block = blockOf(ledger, entry, { before, after: by ?? cursor.number });
    const { kind: change, seq, number } = entry;
    const { cause } = this;
    this.cause = change === 'applied' ? block : undefined;
    const move = { change, seq, number, id: toHex(entry.id), block, isFollowed: by !== undefined, cause };
    this.held.push([{ ...move, solid: [] }, solid]);
    const isWhole = form.polled === true || form.wholeSwitches === true;
    return isWhole && cursor.switches.isUnderWay ? [] : this.rest();
  }

  /** What was held back. */
  rest(): LogMove[] {
    const { held, cursor, form } = this;
    this.held = [];
    const last = held.findLast(([{ change }]) => change === 'applied')?.[0].block;
    const isUnseen = form.polled === true && cursor.switches.hasFailed;
    const seen = held.map(([move, solid]) => {
      const block = move.block && !isUnseen ? this.asSeen(move.change, move.block, last ?? move.block) : undefined;
      return [{ ...move, block }, solid] as const;
    });
    // What is irreversible is looked at behind what the head brought.
    const all = form.polled === true ? seen.flatMap(([, solid]) => solid) : [];
    return seen.map(([move, solid], at) => {
      const own = form.polled !== true ? solid : at === seen.length - 1 ? all : [];
      return { ...move, solid: own.map((block) => this.solidContent(block)) };
    });
  }

  /** @param last the newest block of the same switch, or the block itself */
  private asSeen(change: LogMove['change'], block: BlockContent, last: BlockContent): BlockContent {
    const { seq } = block;
    if (this.form.polled !== true)
      return change === 'applied' && last !== block ? { ...block, solidifiedNumber: last.solidifiedNumber } : block;
    const known = change === 'reverted' ? this.seen.get(seq) : undefined;
    const number = known ?? belowHead(last.solidifiedNumber, last.number);
    if (change === 'applied') this.seen.set(seq, number);
    else this.seen.delete(seq);
    return { ...block, solidifiedNumber: number, solidifiedBefore: number };
  }

  private solidContent(solid: SolidBlock): BlockContent {
    const block = readBlockContent(this.ledger, solid);
    if (this.form.polled !== true) return block;
    const number = this.seen.get(block.seq) ?? belowHead(block.solidifiedNumber, block.number);
    this.seen.delete(block.seq);
    return { ...block, solidifiedNumber: number, solidifiedBefore: number };
  }
}

/** The number that the reference tells where all is irreversible, as with one witness: one below the head. */
export const belowHead = (solidified: number, head: number): number => Math.max(0, Math.min(solidified, head - 1));

/** The entry of a place, when this log is the one that it was read from. */
export function isEntryInLog(ledger: Ledger, { seq, number, id }: BlockPosition): boolean {
  if (seq > ledger.storedSeq) return false;
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
  // Who tells that a block is taken back does so before it is.
  const solidifiedNumber = entry.kind === 'applied' ? solidified.after : solidifiedBefore;
  return { ...readBlockEntry(ledger, applied), solidifiedNumber, solidifiedBefore };
}

/** The entry that the reverted one takes back: the newest of that block before it. */
function appliedOf(ledger: Ledger, reverted: LogEntry) {
  for (let seq = reverted.seq - 1; seq >= 0; seq--) {
    const entry = ledger.entry(seq);
    if (entry.kind === 'applied' && entry.number === reverted.number) return entry;
  }
  throw new TronError('LOG_HOLE', `entry ${reverted.seq} takes back block ${reverted.number}, which was never applied`);
}

/** The newest block that was irreversible at an entry; none before the first one after genesis. */
function newestSolid(ledger: Ledger, { seq }: BlockPosition): BlockPosition | undefined {
  for (let at = Math.min(seq, ledger.storedSeq); at > 0; at--) {
    const entry = ledger.entry(at);
    if (entry.kind !== 'solidified') continue;
    const applied = ledger.entryOfId(entry.id);
    if (applied !== undefined) return { seq: applied.seq, number: entry.number, id: toHex(entry.id) };
  }
  return undefined;
}
