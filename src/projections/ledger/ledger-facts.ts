import { readSeq } from '../../log/block-key.js';
import type { BlockLog } from '../../log/block-log.js';
import { TronError } from '../../primitives/errors.js';
import type { Position } from './ledger-types.js';

// Keys of single values (facts) that the ledger stores in the log.

/** Fact with height and id of the newest `solidified` entry. */
export const SOLIDIFIED = 'solidified';
/** Fact with the height above which all `changes` records are retained. */
export const RETAINED = 'kept';

export function heightUnknown(height: number, headNumber: number): TronError {
  return new TronError('HEIGHT_UNKNOWN', `block ${height} does not exist, the head is ${headNumber}`);
}

/**
 * Returns the error for a height whose state is not retained.
 * @param lowest lowest height with a retained state
 * @param start height at which the log starts, 0 for genesis
 */
export function stateNotRetained(height: number, lowest: number, start: number): TronError {
  const where = start === 0 ? '' : `; the log starts at block ${start}`;
  return new TronError(
    'HISTORY_NOT_KEPT',
    `the state at block ${height} is not stored; the lowest block with a stored state is ${lowest}; tronicle.history.retention sets the number of blocks with a stored state${where}`,
  );
}

/**
 * Returns the position of a log and a state. Another process may read the log at a newer entry than the state,
 * because the writer commits the log first. If the state is older than the newest solidified block, the result has
 * the head of the state as solidified block.
 * @param cursor cursor of the state
 */
export function readPosition(
  blocks: BlockLog,
  { seq, number, id, digest }: { seq: number; number: number; id: Uint8Array; digest: Uint8Array },
): Position {
  const head = { seq, headNumber: number, headId: id, digest };
  const solidified = blocks.facts.get(SOLIDIFIED);
  if (solidified === undefined)
    return { ...head, solidifiedNumber: 0, solidifiedId: blocks.index.heightRow(0)?.id as Uint8Array };
  const solidifiedNumber = readSeq(solidified);
  if (solidifiedNumber > number) return { ...head, solidifiedNumber: number, solidifiedId: id };
  return { ...head, solidifiedNumber, solidifiedId: solidified.subarray(8) };
}
