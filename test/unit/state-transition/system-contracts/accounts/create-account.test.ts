import t from 'tap';
import { AccountType } from '../../../../../src/codec/generated/messages.js';
import { createAccount } from '../../../../../src/state-transition/system-contracts/accounts/create-account.js';
import { addressOf, bytesOf, stateWith } from '../../../../support/vm/state-with.js';

t.test('adds permissions to a new account since the multi-sign proposal', async (t) => {
  const state = stateWith({ latest_block_header_timestamp: 5n });
  createAccount(state, addressOf(1), { type: AccountType.Contract });
  const plain = state.account(addressOf(1));
  t.same([plain?.createTime, plain?.type, plain?.ownerPermission], [5n, AccountType.Contract, undefined]);
  state.properties.set('ALLOW_MULTI_SIGN', 1n);
  createAccount(state, addressOf(2));
  const signed = state.account(addressOf(2));
  t.same(signed?.ownerPermission?.keys[0]?.address, bytesOf(2));
  t.same([signed?.activePermission.length, signed?.activePermission[0]?.id], [1, 2]);
});
