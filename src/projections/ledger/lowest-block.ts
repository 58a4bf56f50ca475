import type { Ledger } from './ledger.js';

/**
 * Returns the lowest height whose block is stored, not counting genesis; 0 if only genesis is stored. `bootstrap` can
 * also store blocks below the first log entry; they count too.
 */
export function lowestBlock(ledger: Pick<Ledger, 'startNumber' | 'position' | 'block'>): number {
  const { headNumber } = ledger.position;
  if (ledger.startNumber === 0) return Math.min(1, headNumber);
  let [missing, lowest] = [0, headNumber];
  while (lowest - missing > 1) {
    const middle = Math.floor((missing + lowest) / 2);
    if (ledger.block(middle) === undefined) missing = middle;
    else lowest = middle;
  }
  return lowest;
}
