import t from 'tap';
import { utf8 } from '../../../../../src/primitives/bytes.js';
import { ArithmeticError } from '../../../../../src/primitives/int64.js';
import { AccountCopy } from '../../../../../src/state-transition/system-contracts/accounts/account-copy.js';
import { addAccount, addressOf, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const TRX = utf8('_');
const TOKEN = utf8('1000001');
const NEW_TOKEN = utf8('1000002');

function accountWithLists() {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n });
  addAccount(state, OWNER, 100n, { 1000001: 10n });
  return { state, account: new AccountCopy(state, addressOf(OWNER), [TRX, TOKEN, NEW_TOKEN]) };
}

t.test('stores the copy at once and overwrites later changes', async (t) => {
  const { state, account } = accountWithLists();
  account.credit(TRX, 5n);
  account.debit(TRX, 1n);
  account.credit(NEW_TOKEN, 3n);
  t.equal(state.account(addressOf(OWNER))?.balance, 100n, 'unchanged before store');
  addAccount(state, OWNER, 1n, { 1000001: 77n, 1000002: 88n });
  account.store();
  const stored = state.account(addressOf(OWNER));
  t.equal(stored?.balance, 104n);
  t.same(Object.fromEntries(stored?.assetV2 ?? []), { 1000001: 10n, 1000002: 3n }, 'also the token without a change');
});

t.test('skips a missing token amount and allows a negative TRX balance', async (t) => {
  const { state, account } = accountWithLists();
  account.debit(TOKEN, 11n);
  account.debit(TOKEN, 0n);
  account.debit(TRX, 101n);
  account.store();
  t.equal(state.account(addressOf(OWNER))?.balance, -1n);
  t.equal(state.account(addressOf(OWNER))?.assetV2.get('1000001'), 10n);
  account.debit(TOKEN, 10n);
  account.store();
  t.equal(state.account(addressOf(OWNER))?.assetV2.get('1000001'), 0n);
});

t.test('throws if a balance exceeds 64 bits', async (t) => {
  const { account } = accountWithLists();
  t.throws(() => account.credit(TRX, 2n ** 63n - 1n), ArithmeticError);
  t.throws(() => account.credit(TOKEN, 2n ** 63n - 10n), ArithmeticError);
});
