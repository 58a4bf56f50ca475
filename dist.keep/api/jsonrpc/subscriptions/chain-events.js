import { contentOf } from '../block-results.js';
/** Tells what happens to the chain, in the order of the log, which it follows while somebody listens. */
export class ChainEvents {
    ledger;
    log;
    listeners = {
        head: new Set(),
        solidified: new Set(),
    };
    following;
    constructor(ledger, log) {
        this.ledger = ledger;
        this.log = log;
    }
    /** From what comes next on. @returns ends it */
    listen(view, listener) {
        const listeners = this.listeners[view === 'head' ? 'head' : 'solidified'];
        listeners.add(listener);
        if (this.following === undefined)
            this.start();
        return () => {
            listeners.delete(listener);
            if (this.listeners.head.size + this.listeners.solidified.size === 0)
                this.close();
        };
    }
    close() {
        this.following?.abort();
        this.following = undefined;
    }
    start() {
        const ended = new AbortController();
        this.following = ended;
        this.follow(ended.signal).catch((error) => {
            this.log.error({ err: error, api: 'jsonrpc' }, 'subscriptions hear no more of the chain');
            if (this.following === ended)
                this.following = undefined;
        });
    }
    async follow(signal) {
        const { ledger } = this;
        let solidified = ledger.position.solidifiedNumber;
        for await (const entry of ledger.entries({ fromSeq: ledger.storedSeq + 1, signal })) {
            if (signal.aborted)
                return;
            if (entry.kind !== 'solidified')
                this.tellHead(entry);
            else {
                for (let number = solidified + 1; number <= entry.number; number++)
                    this.tellSolidified(number);
                solidified = Math.max(solidified, entry.number);
            }
        }
    }
    tellHead(entry) {
        if (this.listeners.head.size === 0)
            return;
        const block = entry.kind === 'applied' ? entry : this.ledger.entryOfId(entry.id);
        const event = { isUndone: entry.kind === 'reverted', content: contentOf({ block: () => block }, entry.number) };
        for (const listener of [...this.listeners.head])
            listener(event);
    }
    tellSolidified(number) {
        if (this.listeners.solidified.size === 0 || this.ledger.block(number) === undefined)
            return;
        const event = { isUndone: false, content: contentOf(this.ledger, number) };
        for (const listener of [...this.listeners.solidified])
            listener(event);
    }
}
//# sourceMappingURL=chain-events.js.map