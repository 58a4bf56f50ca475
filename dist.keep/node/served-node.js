import { Observable } from 'rxjs';
import { contentOf } from '../api/jsonrpc/block-results.js';
import { RememberedIds } from '../api/operations/broadcast.js';
import { decodeTransaction } from '../vm/transactions/decode-transaction.js';
import { createApiContext } from './api-context.js';
/** Serves from the thread that decides: what is answered is what is decided, block by block (`drive`, tests). */
export function servedLocally({ chain, producers = [], ...node }) {
    const api = createApiContext({ source: sourceOf(chain), ...node });
    return { api, ledger: chain.ledger, news: newsOf(chain), remembered: new RememberedIds(), producers, ...node };
}
function sourceOf(chain) {
    const { ledger, state, pool } = chain;
    const waiting = (queue) => queue.values().map(({ transaction }) => transaction);
    return {
        ledger,
        rules: state.rules,
        head: () => state,
        writtenKeys: (table) => table.writtenKeys(),
        pending: () => waiting(pool.pending),
        takenBack: () => waiting(pool.repush),
        waitingChanges: waitingChangesOf(pool),
        submit: async (transaction) => pool.offer(decodeTransaction(transaction)),
    };
}
/** Told at the end of the turn: many changes are one. */
function waitingChangesOf({ listeners }) {
    return new Observable((subscriber) => {
        let isScheduled = false;
        const schedule = () => {
            if (isScheduled)
                return;
            isScheduled = true;
            setImmediate(() => {
                isScheduled = false;
                subscriber.next();
            });
        };
        const listener = { admitted: schedule, changed: schedule };
        listeners.add(listener);
        return () => listeners.delete(listener);
    });
}
function newsOf(chain) {
    return new Observable((subscriber) => {
        let solidified = chain.solidifiedNumber;
        const listener = {
            applied: (block, { transactioninfo: infos }) => {
                if (!chain.isSwitching)
                    subscriber.next({ change: 'joined', content: { block, infos } });
                while (solidified < chain.solidifiedNumber) {
                    if (chain.ledger.block(++solidified) === undefined)
                        continue;
                    subscriber.next({ change: 'solidified', content: contentOf(chain.ledger, solidified) });
                }
            },
            reverted: (block) => {
                const undone = chain.ledger.entryOfId(block.id);
                if (undone === undefined)
                    return;
                subscriber.next({ change: 'undone', content: contentOf({ block: () => undone }, block.number) });
            },
        };
        chain.listeners.add(listener);
        return () => chain.listeners.delete(listener);
    });
}
//# sourceMappingURL=served-node.js.map