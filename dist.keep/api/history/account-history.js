import { equalBytes } from '../../log/domain/bytes.js';
import { TronError } from '../../log/domain/errors.js';
import { reachOf } from '../../projections/reach.js';
import { historyKey, placeOfKey } from './history-key.js';
/** Reads what the history projections have written. */
export class AccountHistory {
    database;
    ledger;
    switchedOn;
    constructor(database, ledger, switchedOn) {
        this.database = database;
        this.ledger = ledger;
        this.switchedOn = new Set(switchedOn);
    }
    /**
     * Rows of an account, the newest first. @param before place behind which the page begins
     * @throws {TronError} PROJECTION_OFF
     */
    page(projection, address, first, before) {
        const { database, ledger } = this;
        if (database === undefined || !this.switchedOn.has(projection)) {
            throw new TronError('PROJECTION_OFF', `this node keeps no ${projection}: name it in tronicle.projections`);
        }
        database.refresh();
        const cursor = database.cursor(projection);
        const upTo = cursor === undefined ? -1 : reachOf(ledger, cursor.seq);
        const limit = before === undefined ? undefined : historyKey(address, before);
        const rows = [];
        let hasMore = false;
        for (const { key, value } of database.range(projection, address, {
            reverse: true,
            ...(limit && { below: limit }),
        })) {
            if (limit !== undefined && equalBytes(key, limit))
                continue;
            const place = placeOfKey(key);
            // Of a block that was taken back: the projection is about to hear of it.
            if (place[0] > upTo)
                continue;
            if (rows.length === first) {
                hasMore = true;
                break;
            }
            rows.push({ place, value: Uint8Array.from(value) });
        }
        return { rows, hasMore, upTo };
    }
}
//# sourceMappingURL=account-history.js.map