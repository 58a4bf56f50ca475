import t from 'tap';
import { BalanceTrace } from '../../../../src/state-transition/state/balance-trace.js';
import { addressOf } from '../../../support/vm/state-with.js';

const [A, B] = [addressOf(1), addressOf(2)];

t.test('records differences in the order of the stored balances', async (t) => {
  const trace = new BalanceTrace();
  trace.begin();
  trace.watch(A, 10n);
  trace.watch(A, 99n);
  trace.saved(A, 7n);
  trace.saved(B, 3n);
  trace.saved(A, 7n);
  trace.deleted(B, 3n);
  t.same(
    trace.operations?.map(({ operationIdentifier, amount }) => [operationIdentifier, amount]),
    [
      [0n, -3n],
      [1n, 3n],
      [2n, -3n],
    ],
    'operations start from the first known balance; an unchanged balance is no operation',
  );
  t.same(
    [...trace.balances],
    [
      [A, 7n],
      [B, 0n],
    ],
  );
});

t.test('records balances, but no operations, outside of a transaction', async (t) => {
  const trace = new BalanceTrace();
  trace.watch(A, 1n);
  trace.saved(A, 5n);
  t.same([trace.operations, trace.balances.get(A)], [undefined, 5n]);
  trace.begin();
  trace.saved(A, 6n);
  t.equal(trace.operations?.[0]?.amount, 6n, 'a transaction starts without known balances');
});
