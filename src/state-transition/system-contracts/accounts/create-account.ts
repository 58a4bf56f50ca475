import type { Account } from '../../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../../primitives/address.js';
import { defaultActivePermission, defaultOwnerPermission } from '../../state/permissions.js';
import { newAccount, type State } from '../../state/state.js';

/**
 * Creates an account, with default permissions if `ALLOW_MULTI_SIGN` is on. Reference: the constructors of
 * AccountCapsule.
 */
export function createAccount(state: State, address: Address, fields: Partial<Account> = {}): Account {
  const account = newAccount(address, { createTime: state.properties.get('latest_block_header_timestamp'), ...fields });
  if (state.properties.isOn('ALLOW_MULTI_SIGN')) {
    account.ownerPermission = defaultOwnerPermission(addressBytes(address));
    account.activePermission = [defaultActivePermission(addressBytes(address), state)];
  }
  state.putAccount(address, account);
  return account;
}
