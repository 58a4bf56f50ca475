import { Account } from '../../codec/generated/messages.js';
import type { BlockChanges } from '../ledger/ledger.js';
import { storeId } from '../state/stores.js';

/** An account before and after a block. A field is undefined if the account did not exist at that time. */
export interface ChangedAccount {
  readonly address: Uint8Array;
  readonly before: Account | undefined;
  readonly after: Account | undefined;
}

const ACCOUNT = storeId('account');

/** Returns the accounts whose row a block changed. */
export function changedAccounts({ rows }: BlockChanges): readonly ChangedAccount[] {
  const decode = (row: Uint8Array | undefined): Account | undefined => row && Account.decode(row);
  return rows
    .filter(({ store }) => store === ACCOUNT)
    .map(({ key, before, after }) => ({ address: key, before: decode(before), after: decode(after) }));
}
