import type { AppliedEntry } from '../../log/log-entry.js';
import { TronError } from '../../primitives/errors.js';
import { onFirstUse } from '../../primitives/on-first-use.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ProjectedBlock } from './projection.js';

/** Returns the input of projections for a block of the log. The row changes are read once, on first use. */
export function projectedBlock(ledger: Ledger, entry: AppliedEntry): ProjectedBlock {
  const changes = onFirstUse(() => {
    const retained = ledger.changes(entry.seq);
    if (retained !== undefined) return retained;
    throw new TronError(
      'HISTORY_NOT_KEPT',
      `the row changes of block ${entry.number} were deleted; tronicle.history.retention sets the number of blocks to keep`,
    );
  });
  return { entry, changes };
}
