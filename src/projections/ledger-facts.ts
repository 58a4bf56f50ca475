import { type BlockLog, readSeq } from '../log/block-log.js';
import type { Position } from './ledger-types.js';

/** Names of the small facts that the ledger keeps in the log. */

/** Height and id of the newest `solidified` entry. */
export const SOLIDIFIED = 'solidified';
/** Height above which all changes are kept. */
export const KEPT = 'kept';

/** Where a log stands whose state has this cursor. */
export function readPosition(
  blocks: BlockLog,
  { seq, number, id, digest }: { seq: number; number: number; id: Uint8Array; digest: Uint8Array },
): Position {
  const solidified = blocks.fact(SOLIDIFIED);
  return {
    seq,
    headNumber: number,
    headId: id,
    digest,
    solidifiedNumber: solidified === undefined ? 0 : readSeq(solidified),
    solidifiedId: solidified?.subarray(8) ?? (blocks.heightRow(0)?.id as Uint8Array),
  };
}
