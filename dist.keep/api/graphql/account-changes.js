import { decodeBase58Check } from '../../log/domain/base58-check.js';
import { toHex } from '../../log/domain/bytes.js';
import { TronError } from '../../log/domain/errors.js';
import { stateChanges } from '../streams/triggers/change-trigger.js';
/** What a filter lets through of a block's changes. */
export function changeSelector(ledger, { addresses, kinds }) {
    const wanted = addresses?.length ? new Set(addresses.map(toHex)) : undefined;
    const wantedKinds = kinds?.length ? new Set(kinds) : undefined;
    return (block) => changesOf(ledger, block).filter(({ kind, address, to }) => {
        if (wantedKinds !== undefined && !wantedKinds.has(kind))
            return false;
        return wanted === undefined || wanted.has(toHex(address)) || (to !== undefined && wanted.has(toHex(to)));
    });
}
/** Of the blocks read last, for all that ask about the same time. */
const known = new WeakMap();
/** @throws {TronError} HISTORY_NOT_KEPT */
function changesOf(ledger, block) {
    const found = known.get(block);
    if (found !== undefined)
        return found;
    const { entry, number, id, header } = block;
    const changes = ledger.changes(entry.seq);
    if (changes === undefined)
        throw new TronError('HISTORY_NOT_KEPT', `what block ${number} changed is no longer kept: see tronicle.history.retention`);
    const place = { number, id: toHex(id), timeMs: BigInt(header.timestamp) };
    const made = stateChanges(place, changes.rows, false).map((change) => shownChange(number, change));
    known.set(block, made);
    return made;
}
function shownChange(blockNumber, { trigger, address, resource, to, before, after }) {
    return {
        kind: trigger.toUpperCase(),
        address: decodeBase58Check(address),
        blockNumber,
        resource,
        to: to === undefined ? undefined : decodeBase58Check(to),
        before,
        after,
    };
}
//# sourceMappingURL=account-changes.js.map