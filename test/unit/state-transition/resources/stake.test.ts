import t from 'tap';
import { Account, AccountFreezeV2, AccountFrozen } from '../../../../src/codec/generated/messages.js';
import {
  addFrozenV2,
  allFrozenForBandwidth,
  allFrozenForEnergy,
  allTronPower,
  frozenV2,
  frozenV2WithDelegated,
  initializeOldTronPower,
  ResourceCode,
  tronPower,
} from '../../../../src/state-transition/resources/stake.js';
import { resourceOf } from '../../../../src/state-transition/state/state.js';

const { BANDWIDTH, ENERGY, TRON_POWER } = ResourceCode;

/**
 * Returns an account in which each kind of stake is a different power of ten. So the digits of a sum show its parts.
 */
function account(): Account {
  const made = new Account();
  made.frozen.push(Object.assign(new AccountFrozen(), { frozenBalance: 1n }));
  made.acquiredDelegatedFrozenBalanceForBandwidth = 10n;
  made.delegatedFrozenBalanceForBandwidth = 100n;
  addFrozenV2(made, BANDWIDTH, 1000n);
  made.acquiredDelegatedFrozenV2BalanceForBandwidth = 10n ** 4n;
  made.delegatedFrozenV2BalanceForBandwidth = 10n ** 5n;
  const energy = resourceOf(made);
  energy.frozenBalanceForEnergy = Object.assign(new AccountFrozen(), { frozenBalance: 10n ** 6n });
  energy.acquiredDelegatedFrozenBalanceForEnergy = 10n ** 7n;
  energy.delegatedFrozenBalanceForEnergy = 10n ** 8n;
  addFrozenV2(made, ENERGY, 10n ** 9n);
  energy.acquiredDelegatedFrozenV2BalanceForEnergy = 10n ** 10n;
  energy.delegatedFrozenV2BalanceForEnergy = 10n ** 11n;
  made.tronPower = Object.assign(new AccountFrozen(), { frozenBalance: 10n ** 12n });
  addFrozenV2(made, TRON_POWER, 10n ** 13n);
  return made;
}

t.test('counts own and acquired stake for resources, own and delegated stake for votes', async (t) => {
  t.equal(allFrozenForBandwidth(account()), 11_011n);
  t.equal(allFrozenForEnergy(account()), 11_011_000_000n);
  t.equal(tronPower(account()), 101_101_101_101n);
  t.equal(frozenV2WithDelegated(account(), BANDWIDTH), 101_000n);
  t.equal(frozenV2WithDelegated(account(), ENERGY), 101_000_000_000n);
});

t.test('counts tron power and the initial old stake under the new resource model', async (t) => {
  const made = account();
  t.equal(allTronPower(made), 11_000_000_000_000n + 101_101_101_101n, 'the old stake is not initialised yet');
  initializeOldTronPower(made);
  made.frozen = [];
  t.equal(allTronPower(made), 11_000_000_000_000n + 101_101_101_101n, 'the old stake is initialised');
  made.oldTronPower = -1n;
  t.equal(allTronPower(made), 11_000_000_000_000n);
  const none = new Account();
  initializeOldTronPower(none);
  t.equal(none.oldTronPower, -1n, '-1 means no old stake');
});

t.test('adds stake to the first entry of its resource', async (t) => {
  const made = new Account();
  const entry = (amount: bigint) => Object.assign(new AccountFreezeV2(), { type: ENERGY, amount });
  made.frozenV2.push(entry(1n), entry(2n));
  addFrozenV2(made, ENERGY, 5n);
  t.same(
    made.frozenV2.map(({ amount }) => amount),
    [6n, 2n],
  );
  t.equal(frozenV2(made, ENERGY), 8n);
});
