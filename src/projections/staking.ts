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
     * Rewards and votes of witnesses by cycle. Keys are text. The encoding of a value depends on its key. The name is
     * that of java-tron's store; the store contains no delegated resources.
     */
    delegation: byteRows,
    /** Cumulative rewards per vote, for the cycles before the new reward algorithm. */
    'rewards-vi': byteRows,
  },
  read: (rows) => ({
    /**
     * Returns the row of an account that has changed its votes since the last maintenance: the votes before these
     * changes, and the current votes. Returns undefined if the account has not changed its votes since then.
     */
    votes: (address: Uint8Array) => rows.get('votes', address),
  }),
});
