import { Account } from '../codec/generated/messages.js';
import { byteRows, int64Rows, messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/**
 * Accounts: balances, permissions, staked amounts and resource usage. Also the indexes of accounts by name and by id.
 */
export const accounts = stateProjection({
  name: 'accounts',
  version: 1,
  description: 'Accounts with balances, permissions, staked amounts and resource usage; TRC10 balances; account ids.',
  stores: {
    account: messageRows(Account),
    /** TRC10 balances that were moved out of the account row. Key: address, then token id as text. */
    'account-asset': int64Rows,
    'account-index': byteRows,
    'accountid-index': byteRows,
    /** Nodes of the trie over accounts. Key: hash of the node. */
    accountTrie: byteRows,
  },
  read: (rows) => ({
    account: (address: Uint8Array) => rows.get('account', address),
    /** Returns the balance in SUN; 0 if the account does not exist. */
    balance: (address: Uint8Array): bigint => rows.get('account', address)?.balance ?? 0n,
    /** Iterates over the account ids (UTF-8) with the addresses that own them. */
    *ids(): Iterable<{ readonly id: Uint8Array; readonly address: Uint8Array }> {
      for (const { key, row } of rows.range('accountid-index')) yield { id: key, address: row };
    },
  }),
});
