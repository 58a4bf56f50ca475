import { readSeq } from '../log/block-log.js';
import { TronError } from '../log/domain/errors.js';
/** Names of the small facts that the ledger keeps in the log. */
/** Height and id of the newest `solidified` entry. */
export const SOLIDIFIED = 'solidified';
/** Height above which all changes are kept. */
export const KEPT = 'kept';
export function heightUnknown(height, headNumber) {
    return new TronError('HEIGHT_UNKNOWN', `block ${height} is not in the chain, whose head is ${headNumber}`);
}
/** @param begin height at which the log begins, 0 for genesis */
export function stateNotKept(height, kept, begin) {
    const where = begin === 0 ? '' : `; the log begins at block ${begin}`;
    return new TronError('HISTORY_NOT_KEPT', `the state at block ${height} is not kept, the lowest is ${kept}: tronicle.history.retention sets how many blocks are${where}`);
}
/** Where a log stands whose state has this cursor. */
export function readPosition(blocks, { seq, number, id, digest }) {
    const solidified = blocks.fact(SOLIDIFIED);
    return {
        seq,
        headNumber: number,
        headId: id,
        digest,
        solidifiedNumber: solidified === undefined ? 0 : readSeq(solidified),
        solidifiedId: solidified?.subarray(8) ?? blocks.heightRow(0)?.id,
    };
}
//# sourceMappingURL=ledger-facts.js.map