import t from 'tap';
import { adjustBalance, burn, payIntoPool } from '../../../../src/state-transition/balances/balances.js';
import { ChainError } from '../../../../src/state-transition/errors.js';
import { addAccount, addressOf, BLACKHOLE, stateWith } from '../../../support/vm/state-with.js';

const A = addressOf(1);

t.test('changes a balance by an amount within its bounds', async (t) => {
  const state = stateWith();
  addAccount(state, 1, 10n);
  adjustBalance(state, A, -10n);
  adjustBalance(state, A, 3n);
  adjustBalance(state, A, 0n);
  t.equal(state.account(A)?.balance, 3n);
  t.throws(() => adjustBalance(state, A, -4n), { message: `${A} insufficient balance, balance: 3, amount: 4` });
  t.throws(() => adjustBalance(state, A, 2n ** 63n - 1n), { message: 'long overflow' });
  t.throws(() => adjustBalance(state, addressOf(2), 1n), ChainError);
});

// Found by a comparison with java-tron. With proposal 25, the account trie contains only accounts that were stored.
t.test('stores no account for an amount of 0', async (t) => {
  const state = stateWith();
  addAccount(state, 1, 10n);
  const mark = state.mark();
  adjustBalance(state, A, 0n);
  burn(state, 0n);
  t.same(state.accountsWrittenSince(mark), []);
  t.throws(() => adjustBalance(state, addressOf(2), 0n), { code: 'NullPointerException' });
});

t.test('pays fees to the blackhole until burning is enabled, and to the pool if there is one', async (t) => {
  const before = stateWith();
  burn(before, 5n);
  t.equal(before.account(BLACKHOLE)?.balance, 5n);
  const burning = stateWith({ ALLOW_BLACKHOLE_OPTIMIZATION: 1n });
  burn(burning, 5n);
  payIntoPool(burning, 2n);
  t.same([burning.account(BLACKHOLE)?.balance, burning.properties.get('BURN_TRX_AMOUNT')], [0n, 7n]);
  const pool = stateWith({ ALLOW_BLACKHOLE_OPTIMIZATION: 1n, ALLOW_TRANSACTION_FEE_POOL: 1n });
  payIntoPool(pool, 2n);
  t.same([pool.properties.get('TRANSACTION_FEE_POOL'), pool.properties.get('BURN_TRX_AMOUNT')], [2n, 0n]);
});
