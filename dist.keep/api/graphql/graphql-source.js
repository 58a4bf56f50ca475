import { AccountHistory } from '../history/account-history.js';
import { PastViews } from '../past-views.js';
import { BlockReader } from './read-block.js';
import { NO_PROGRESS } from './status.js';
import { Turns } from './turns.js';
/** Transactions whose logs are looked at in one turn: about 10 ms. */
const SEARCHED_MAX = 2_500;
export function createGraphqlSource(options) {
    const { ledger, rules } = options;
    const past = new PastViews(ledger, rules);
    return {
        progress: NO_PROGRESS,
        ...options,
        histories: options.histories ?? new AccountHistory(undefined, ledger, []),
        blocks: new BlockReader(ledger),
        searches: new Turns(SEARCHED_MAX),
        at: (height) => past.at(height === undefined || height === null ? ledger.position.headNumber : Number(height)),
    };
}
//# sourceMappingURL=graphql-source.js.map