import type { Ledger } from '../../projections/ledger/ledger.js';
import type { BlockPosition } from '../follow/block-position.js';
import { SWITCH_BLOCKS } from '../follow/solid-blocks.js';

/**
 * Maximum number of entries that are searched for a `solidified` entry. It limits the duration of the search while
 * solidification stalls.
 */
const ENTRIES_MAX = 100;

/**
 * Returns the seq up to which the log may be pruned for a sink at a position; -1 if nothing may be pruned. To resume at
 * the position, the sink reads the blocks of the last reorg again, and the newest `solidified` entry before them.
 */
export function retainedSeq(
  ledger: Pick<Ledger, 'block' | 'entry' | 'hasEntry'>,
  { seq, number }: Pick<BlockPosition, 'seq' | 'number'>,
): number {
  const first = Math.min(seq, ledger.block(number - SWITCH_BLOCKS)?.seq ?? 0);
  let at = first;
  while (at > Math.max(0, first - ENTRIES_MAX) && ledger.hasEntry(at) && ledger.entry(at).kind !== 'solidified') at--;
  return at - 1;
}
