import type { Ledger } from '../ledger/ledger.js';

/**
 * Returns the greatest height at which the log entries up to `seq` contain the current canonical block; -1 if they
 * contain no canonical block. Entries after `seq` may have reverted or replaced the blocks above this height.
 */
export function reachOf(ledger: Pick<Ledger, 'block' | 'position' | 'entry'>, seq: number): number {
  let height = Math.min(headAt(ledger, seq), ledger.position.headNumber);
  while (height >= 0 && (ledger.block(height)?.seq ?? Number.POSITIVE_INFINITY) > seq) height--;
  return height;
}

/** Returns the height of the head after the entry with this seq; -1 if no block was applied up to this entry. */
function headAt(ledger: Pick<Ledger, 'entry'>, seq: number): number {
  for (let at = seq; at >= 0; at--) {
    const entry = ledger.entry(at);
    if (entry.kind === 'applied' || entry.kind === 'base') return entry.number;
    if (entry.kind === 'reverted') return entry.number - 1;
  }
  return -1;
}
