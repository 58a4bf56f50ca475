import type { AppliedEntry } from '../../log/log-entry.js';
import { TronError } from '../../primitives/errors.js';
import type { BlockChanges, Ledger } from '../ledger/ledger.js';
import type { ProjectedBlock } from './projection.js';

/** Returns the input of projections for a block of the log. The row changes are read once, on first use. */
export function projectedBlock(ledger: Ledger, entry: AppliedEntry): ProjectedBlock {
  let known: BlockChanges | undefined;
  return {
    entry,
    changes: () => {
      known ??= ledger.changes(entry.seq);
      if (known !== undefined) return known;
      throw new TronError('HISTORY_NOT_KEPT', `the changes of block ${entry.number} are not retained`);
    },
  };
}
