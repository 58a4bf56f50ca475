import t from 'tap';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import { BalanceTrace } from '../../../../src/state-transition/state/balance-trace.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const [A, B, NEW] = [addressOf(1), addressOf(2), addressOf(9)];

function world() {
  const state = stateWith();
  addAccount(state, 1, 10n);
  addAccount(state, 2, 20n);
  return { state, accounts: new VmAccounts(state) };
}

t.test('changes balances and creates missing accounts', async (t) => {
  const { state, accounts } = world();
  t.equal(accounts.addBalance(A, -10n, 0), 0n);
  t.equal(accounts.addBalance(NEW, 3n, 0), 3n);
  t.same([state.account(A)?.balance, state.account(NEW)?.balance, accounts.balance(addressOf(8))], [0n, 3n, 0n]);
  t.throws(() => accounts.addBalance(A, -1n, 0), { message: `${A} insufficient balance` });
  t.throws(() => accounts.addBalance(B, 2n ** 63n - 1n, 0), { message: 'long overflow' });
});

t.test('adds permissions to an account that a transfer creates since the multi-sign proposal', async (t) => {
  const { state, accounts } = world();
  state.properties.set('ALLOW_MULTI_SIGN', 1n);
  t.equal(accounts.createNormal(NEW, 0).ownerPermission?.permissionName, 'owner');
});

/** Returns the accounts in the operations of a balance trace. */
function traced(trace: BalanceTrace): string[] {
  return (trace.operations ?? []).map(({ address }) => Buffer.from(address).toString('hex'));
}

t.test('adds each account once to the balance history after a successful program', async (t) => {
  const { state } = world();
  const trace = new BalanceTrace();
  trace.begin();
  state.trace = trace;
  const accounts = new VmAccounts(state);
  t.equal(state.trace, undefined, 'during a program, the trace belongs to its accounts');
  accounts.addBalance(A, -4n, 0);
  accounts.addBalance(B, 4n, 0);
  accounts.addBalance(A, -1n, 0);
  t.same(traced(trace), []);
  accounts.store();
  t.equal(state.trace, trace);
  t.same(new Set(traced(trace)), new Set([A, B]));
  t.equal(trace.balances.get(A), 5n);
});

t.test('drops balance history of a failed program and accounts created by a failed call', async (t) => {
  const { state } = world();
  const trace = new BalanceTrace();
  trace.begin();
  state.trace = trace;
  const accounts = new VmAccounts(state);
  const [mark, point] = [accounts.mark(), state.mark()];
  accounts.create(NEW, 1, {});
  accounts.revertTo(mark);
  state.revertTo(point);
  t.notOk(state.accounts.has(NEW));
  accounts.addBalance(A, -4n, 0);
  accounts.release();
  t.same(traced(trace), []);
});

t.test('storeAlone reverts all changes since a mark except those of accounts', async (t) => {
  const { state, accounts } = world();
  const mark = state.mark();
  accounts.addBalance(A, 5n, 0);
  state.properties.set('TOTAL_NET_WEIGHT', 7n);
  accounts.storeAlone(mark);
  t.same([state.account(A)?.balance, state.properties.get('TOTAL_NET_WEIGHT')], [15n, 0n]);
});
