import type { Ledger } from '../ledger/ledger.js';

/**
 * Height up to which what was read of the log to an entry still is the canonical chain; -1 for nothing. Blocks that
 * replaced others after that entry are above it.
 */
export function reachOf(ledger: Pick<Ledger, 'block' | 'position' | 'entry'>, seq: number): number {
  let height = Math.min(headAt(ledger, seq), ledger.position.headNumber);
  while (height >= 0 && (ledger.block(height)?.seq ?? Number.POSITIVE_INFINITY) > seq) height--;
  return height;
}

/** Height of the head when an entry was written. */
function headAt(ledger: Pick<Ledger, 'entry'>, seq: number): number {
  for (let at = seq; at >= 0; at--) {
    const entry = ledger.entry(at);
    if (entry.kind === 'applied' || entry.kind === 'base') return entry.number;
    if (entry.kind === 'reverted') return entry.number - 1;
  }
  return -1;
}
