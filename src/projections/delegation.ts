import { DelegatedResource, DelegatedResourceAccountIndex } from '../codec/generated/messages.js';
import { messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Stake for bandwidth and energy that accounts delegate to other accounts, with an index by sender and by receiver. */
export const delegation = stateProjection({
  name: 'delegation',
  version: 1,
  description:
    'Stake for bandwidth and energy that accounts delegate to each other, with an index by sender and receiver.',
  stores: {
    DelegatedResource: messageRows(DelegatedResource),
    DelegatedResourceAccountIndex: messageRows(DelegatedResourceAccountIndex),
  },
  read: (rows) => ({
    /**
     * Iterates over the delegations whose keys start with a prefix, for example the first key byte and the address of
     * the sender.
     */
    *delegations(prefix: Uint8Array): Iterable<DelegatedResource> {
      for (const { row } of rows.range('DelegatedResource', { prefix })) yield row;
    },
  }),
});
