import { readSeq } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import { TronError } from '../../primitives/errors.js';
import type { Position } from './ledger-types.js';

// Keys of single values (facts) that the ledger stores in the log.

/** Fact with height and id of the newest `solidified` entry. */
export const SOLIDIFIED = 'solidified';
/** Fact with the height above which all changes are retained. */
export const RETAINED = 'kept';

export function heightUnknown(height: number, headNumber: number): TronError {
  return new TronError('HEIGHT_UNKNOWN', `block ${height} does not exist, the head is ${headNumber}`);
}

/** Returns the error for a height whose state is not retained. @param begin start height of the log, 0 for genesis */
export function stateNotRetained(height: number, kept: number, begin: number): TronError {
  const where = begin === 0 ? '' : `; the log begins at block ${begin}`;
  return new TronError(
    'HISTORY_NOT_KEPT',
    `the state at block ${height} is not available, the lowest is ${kept}; tronicle.history.retention sets the number of blocks${where}`,
  );
}

/** Returns the position of a log. @param cursor cursor of the state */
export function readPosition(
  blocks: BlockLog,
  { seq, number, id, digest }: { seq: number; number: number; id: Uint8Array; digest: Uint8Array },
): Position {
  const solidified = blocks.facts.get(SOLIDIFIED);
  return {
    seq,
    headNumber: number,
    headId: id,
    digest,
    solidifiedNumber: solidified === undefined ? 0 : readSeq(solidified),
    solidifiedId: solidified?.subarray(8) ?? (blocks.index.heightRow(0)?.id as Uint8Array),
  };
}
