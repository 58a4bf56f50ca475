import type { AppliedEntry } from '../../log/log-entry.js';
import { equalBytes, toInt64, utf8 } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { storeId } from '../../projections/state/stores.js';
import type { BlockPosition } from './block-position.js';

const PROPERTIES = storeId('properties');
const KEY = utf8('LATEST_SOLIDIFIED_BLOCK_NUM');
/** Number of heights below the head for which the solidified number is cached. No reorg is deeper. */
const HEIGHTS_MAX = 2048;
/**
 * Maximum number of ancestors that are searched for the last change of the solidified number. Nearly every block
 * changes this number.
 */
const ANCESTORS_MAX = 1000;

/**
 * Solidified number in the state after each block of the current branch. A reorg decreases this number. Until the next
 * `solidified` entry, the number is then read from the row changes. Without a reorg, it is the height in the newest
 * `solidified` entry.
 */
export class SolidifiedNumbers {
  private readonly ledger: Ledger;
  private readonly after = new Map<number, number>();
  private readonly start: number;
  private head: number;
  private newest: number;

  constructor(ledger: Ledger, known: BlockPosition | undefined) {
    this.ledger = ledger;
    this.head = known?.number ?? -1;
    this.newest = known === undefined ? 0 : newestEntry(ledger, known.seq);
    this.start = known === undefined ? 0 : (numberInState(ledger, known.seq) ?? this.newest);
    this.after.set(this.head, this.start);
  }

  /** Solidified number in the state after the last block that was read. */
  get now(): number {
    return this.after.get(this.head) ?? this.start;
  }

  /** Records the block of an imported state. The next `solidified` entry has the solidified number of this state. */
  startAt(number: number): void {
    this.head = number;
    this.after.set(number, this.start);
  }

  /** Records an applied block. @returns the solidified number before this block */
  applied({ number, seq }: AppliedEntry): number {
    const before = this.after.get(number - 1) ?? this.start;
    // After a reorg, the number can be below the height in the newest `solidified` entry. It then increases without a
    // new entry, so it is read from the row changes of the block.
    this.after.set(number, before < this.newest ? (changedTo(this.ledger, seq) ?? before) : before);
    this.after.delete(number - HEIGHTS_MAX);
    this.head = number;
    return before;
  }

  reverted(number: number): void {
    this.after.delete(number);
    this.head = number - 1;
  }

  solidified(number: number): void {
    this.newest = Math.max(this.newest, number);
    this.after.set(this.head, number);
  }
}

function newestEntry(ledger: Ledger, seq: number): number {
  for (let at = seq; at > 0; at--) {
    const entry = ledger.entry(at);
    if (entry.kind === 'solidified') return entry.number;
  }
  return 0;
}

/**
 * Returns the solidified number in the state after a block. Reads it from the row changes of the block and its
 * ancestors. Undefined if these changes are pruned.
 */
function numberInState(ledger: Ledger, seq: number): number | undefined {
  let at: number | undefined = seq;
  for (let steps = 0; at !== undefined && steps < ANCESTORS_MAX; steps++) {
    const number = changedTo(ledger, at);
    if (number !== undefined) return number;
    const entry = ledger.entry(at);
    at = entry.kind === 'applied' ? ledger.entryOfId(entry.parentId)?.seq : undefined;
  }
  return undefined;
}

function changedTo(ledger: Ledger, seq: number): number | undefined {
  const row = ledger.changes(seq)?.rows.find(({ store, key }) => store === PROPERTIES && equalBytes(key, KEY));
  return row?.after && Number(toInt64(row.after));
}
