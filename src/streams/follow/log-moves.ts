import { toHex } from '../../domain/bytes.js';
import { TronError } from '../../domain/errors.js';
import type { LogEntry } from '../../log/log-entry.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { type BlockContent, readBlockContent, readEntry } from './block-content.js';
import type { BlockPlace } from './block-place.js';
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
}

interface LogMovesOptions {
  readonly ledger: Ledger;
  /** The last entry that was passed on; without it the first one is that of block 1. */
  readonly after?: BlockPlace | undefined;
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Every entry of the log after `after`, in order, each once: for those who cannot wait until blocks are irreversible, and take back what
 * is taken back. A block that was irreversible and is undone all the same ends it. @throws {UndoneBlockError | TronError} SEQ_UNKNOWN
 */
export async function* logMoves({ ledger, after, follow = true, signal }: LogMovesOptions): AsyncGenerator<LogMove> {
  const cursor = new SolidCursor(ledger, after && newestSolid(ledger, after));
  let early: SolidBlock[] = [];
  for await (const entry of ledger.entries({ fromSeq: cursor.fromSeq, follow, ...(signal && { signal }) })) {
    const before = cursor.number;
    const solid = [...early, ...cursor.take(entry)];
    // The reference names genesis irreversible behind the first block, and never as a block that joined.
    early = entry.number === 0 ? solid.splice(0) : [];
    if (entry.number === 0 || (after !== undefined && entry.seq <= after.seq)) continue;
    yield {
      change: entry.kind,
      seq: entry.seq,
      number: entry.number,
      id: toHex(entry.id),
      block: blockOf(ledger, entry, { before, after: cursor.number }),
      solid: solid.map((block) => readBlockContent(ledger, block)),
    };
  }
}

/** The entry of a place, when this log is the one that it was read from. */
export function isEntryInLog(ledger: Ledger, { seq, number, id }: BlockPlace): boolean {
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
  const solidifiedNumber =
    entry.kind === 'applied' ? (solidifiedBy(ledger, entry) ?? solidified.after) : solidified.after;
  const solidifiedBefore = solidified.before;
  return { ...readEntry(ledger, applied), solidifiedNumber, solidifiedBefore };
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
function newestSolid(ledger: Ledger, { seq }: BlockPlace): BlockPlace | undefined {
  for (let at = Math.min(seq, ledger.storedSeq); at > 0; at--) {
    const entry = ledger.entry(at);
    if (entry.kind !== 'solidified') continue;
    const applied = ledger.entryOfId(entry.id);
    if (applied !== undefined) return { seq: applied.seq, number: entry.number, id: toHex(entry.id) };
  }
  return undefined;
}
