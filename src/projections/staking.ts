import { Votes } from '../codec/generated/messages.js';
import { byteRows, messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Votes of stakers and the rewards that they earn. The staked amounts themselves are fields of the account row. */
export const staking = stateProjection({
  name: 'staking',
  version: 1,
  description: 'Votes cast since the last maintenance, and the rewards of voters and witnesses by cycle.',
  stores: {
    votes: messageRows(Votes),
    /** Rewards by cycle. Keys are text, values have several encodings. The store has this name in java-tron, too. */
    delegation: byteRows,
    /** Cumulative rewards per vote for cycles before the new reward algorithm took effect. */
    'rewards-vi': byteRows,
  },
  read: (rows) => ({
    /** Returns the votes before and after the changes since the last maintenance. */
    votes: (address: Uint8Array) => rows.get('votes', address),
  }),
});
