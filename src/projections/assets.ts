import { AssetIssueContract } from '../codec/generated/messages.js';
import { messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** TRC10 assets. The asset balances of accounts are rows of the projection `accounts`. */
export const trc10Assets = stateProjection({
  name: 'assets',
  version: 1,
  description: 'TRC10 assets by name (until the chain allows duplicate names) and by id.',
  stores: {
    'asset-issue': messageRows(AssetIssueContract),
    'asset-issue-v2': messageRows(AssetIssueContract),
  },
  read: (rows) => ({
    /** Returns an asset by its id (a decimal number as UTF-8 text); undefined if the asset does not exist. */
    byId: (id: Uint8Array) => rows.get('asset-issue-v2', id),
  }),
});
