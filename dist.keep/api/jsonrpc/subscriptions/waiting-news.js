import { toHex } from '../../../log/domain/bytes.js';
import { decodeTransaction } from '../../../vm/transactions/decode-transaction.js';
import { waitingResult } from '../block-results.js';
/** Tells of transactions that come to wait, each once. */
export class WaitingNews {
    context;
    listeners = new Map();
    ids = new WeakMap();
    known = new Set();
    changes;
    constructor(context) {
        this.context = context;
    }
    /** @param isWhole whole transactions, not ids. @returns ends it */
    listen(isWhole, send) {
        if (this.changes === undefined) {
            this.known = new Set(this.decoded().map(({ idHex }) => idHex));
            this.changes = this.context.api.waiting.changes.subscribe(() => this.look());
        }
        this.listeners.set(send, isWhole);
        return () => {
            this.listeners.delete(send);
            if (this.listeners.size > 0)
                return;
            this.changes?.unsubscribe();
            this.changes = undefined;
        };
    }
    look() {
        const { api, view } = this.context;
        const waiting = this.decoded();
        const before = this.known;
        this.known = new Set(waiting.map(({ idHex }) => idHex));
        for (const transaction of waiting) {
            if (before.has(transaction.idHex))
                continue;
            const whole = () => waitingResult(transaction, { view: api.view(view), ...api.settings });
            for (const [send, isWhole] of [...this.listeners])
                send(isWhole ? whole() : `0x${toHex(transaction.id)}`);
        }
    }
    decoded() {
        return this.context.api.waiting.all().map((message) => {
            const known = this.ids.get(message);
            if (known !== undefined)
                return known;
            const decoded = decodeTransaction(message);
            this.ids.set(message, decoded);
            return decoded;
        });
    }
}
//# sourceMappingURL=waiting-news.js.map