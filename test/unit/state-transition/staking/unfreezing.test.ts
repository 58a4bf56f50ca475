import t from 'tap';
import { Account, AccountUnFreezeV2 } from '../../../../src/codec/generated/messages.js';
import { expiredUnfreezing, payExpired } from '../../../../src/state-transition/staking/unfreezing.js';

const entry = (unfreezeAmount: bigint, unfreezeExpireTime: bigint) =>
  Object.assign(new AccountUnFreezeV2(), { unfreezeAmount, unfreezeExpireTime });

t.test('sums expired amounts, without those of zero or less', async (t) => {
  const account = Object.assign(new Account(), { unfrozenV2: [entry(5n, 10n), entry(-3n, 1n), entry(7n, 11n)] });
  t.equal(expiredUnfreezing(account, 10n), 5n);
  t.equal(expiredUnfreezing(account, 9n), 0n);
  t.equal(expiredUnfreezing(account, 11n), 12n);
});

t.test('pays expired amounts, removes their entries and keeps the others', async (t) => {
  const account = Object.assign(new Account(), {
    balance: 1n,
    unfrozenV2: [entry(5n, 10n), entry(-3n, 1n), entry(7n, 11n)],
  });
  t.equal(payExpired(account, 10n), 2n);
  t.same([account.balance, account.unfrozenV2.map(({ unfreezeAmount }) => unfreezeAmount)], [3n, [7n]]);
});
