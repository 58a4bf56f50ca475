import { Votes } from '../codec/generated/messages.js';
import { byteRows, messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Votes of stakers, and the rewards for these votes. The staked amounts are fields of the account row. */
export const staking = stateProjection({
  name: 'staking',
  version: 1,
  description: 'Votes cast since the last maintenance, and the rewards of voters and witnesses by cycle.',
  stores: {
    votes: messageRows(Votes),
    /**
     * Rewards and votes of witnesses by cycle. The store name is that of java-tron; the store contains no delegated
     * resources. Keys are text. The encoding of a value depends on its key.
     */
    delegation: byteRows,
    /** Cumulative rewards per vote, for the cycles before the new reward algorithm. */
    'rewards-vi': byteRows,
  },
  read: (rows) => ({
    /**
     * Returns the old votes (at the last maintenance) and the current votes of an account. Undefined if the account has
     * not changed its votes since then.
     */
    votes: (address: Uint8Array) => rows.get('votes', address),
  }),
});
