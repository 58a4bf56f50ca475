import t from 'tap';
import { toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { storeId } from '../../../../src/projections/state/stores.js';
import { newAccount, resourceOf } from '../../../../src/state-transition/state/state.js';
import { addAccount, addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const A = addressOf(1);

t.test('returns each changed row once with its previous value on commit', async (t) => {
  const state = stateWith();
  addAccount(state, 1, 5n);
  state.commit();
  const account = state.accountToWrite(A);
  if (account !== undefined) account.balance = 6n;
  state.properties.set('TOTAL_NET_WEIGHT', 3n);
  const changes = state.commit();
  t.same(changes.map(({ store }) => store).sort(), [storeId('account'), storeId('properties')].sort());
  t.ok(changes.every(({ before, after }) => before !== undefined && after !== undefined));
  t.same(state.commit(), [], 'no row has changed since');
});

t.test('returns accounts written since a mark and the rows at the mark', async (t) => {
  const state = stateWith();
  addAccount(state, 1, 5n);
  addAccount(state, 2, 5n);
  const mark = state.mark();
  const account = state.accountToWrite(A);
  if (account !== undefined) account.balance = 9n;
  t.same(
    state.accountsWrittenSince(mark).map(([address, { balance }]) => [address, balance]),
    [[A, 9n]],
  );
  t.equal(state.rowsAt(mark).get(state.accounts, A)?.balance, 5n);
  t.equal(state.rowsAt(mark).get(state.accounts, addressOf(2))?.balance, 5n);
  t.equal(state.writtenSince(mark).length, 1);
});

// Reference: AccountStore.put with ALLOW_ASSET_OPTIMIZATION. At the first write of an account, its TRC10 balances
// become separate rows.
t.test('moves TRC10 balances out of the account row at its first write with asset optimisation', async (t) => {
  const state = stateWith();
  addAccount(state, 1, 0n, { 1000001: 7n, 1000002: 0n });
  state.properties.set('ALLOW_ASSET_OPTIMIZATION', 1n);
  t.equal(state.account(A)?.assetV2.size, 2, 'a read moves no balance');
  state.accountToWrite(A);
  const account = state.account(A);
  t.same([account?.assetV2.size, account?.assetOptimized], [0, true]);
  const key = (id: string) => A + toHex(utf8(id));
  t.same([state.accountAssets.get(key('1000001')), state.accountAssets.has(key('1000002'))], [7n, false]);
  t.equal(state.zeroTokens.get(key('1000002')), 1n, 'the number of the block that wrote a balance of zero');
  state.deleteAccount(A);
  t.notOk(state.zeroTokens.has(key('1000002')));
});

t.test('creates an account with its address, and energy fields on request', async (t) => {
  const account = newAccount(A, { balance: 3n });
  t.same([account.address, account.balance, account.accountResource], [bytesOf(1), 3n, undefined]);
  t.equal(resourceOf(account), resourceOf(account));
});

t.test('drops decoded values on reset', async (t) => {
  const state = stateWith();
  addAccount(state, 1);
  state.reset();
  t.notOk(state.accounts.has(A), 'no row is stored');
});
