import t from 'tap';
import { Account, AccountFrozen } from '../../../../src/codec/generated/messages.js';
import { addFrozenV2, ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import {
  acquired,
  acquiredV2,
  addDelegated,
  addDelegatedV2,
  addFrozen,
  removeFrozen,
  setAcquired,
  setAcquiredV2,
  setUsage,
  stakedTrx,
  stakedTrxV2,
  weightProperty,
} from '../../../../src/state-transition/staking/stake-fields.js';

const { BANDWIDTH, ENERGY, TRON_POWER } = ResourceCode;
const TRX = 1_000_000n;

t.test('has separate fields and weights per resource', async (t) => {
  const account = new Account();
  addFrozen(account, BANDWIDTH, TRX, 1n);
  addFrozen(account, ENERGY, 2n * TRX, 2n);
  addFrozen(account, TRON_POWER, 3n * TRX + 999_999n, 3n);
  t.same([account.frozen[0]?.expireTime, account.tronPower?.expireTime], [1n, 3n]);
  t.equal(account.accountResource?.frozenBalanceForEnergy?.expireTime, 2n);
  t.same(
    [BANDWIDTH, ENERGY, TRON_POWER].map((resource) => stakedTrx(account, resource)),
    [1n, 2n, 3n],
  );
  t.same([BANDWIDTH, ENERGY, TRON_POWER].map(weightProperty), [
    'TOTAL_NET_WEIGHT',
    'TOTAL_ENERGY_WEIGHT',
    'TOTAL_TRON_POWER_WEIGHT',
  ]);
});

t.test('adds stake to the existing entry of its resource, and sets the new expiration time', async (t) => {
  const account = new Account();
  addFrozen(account, BANDWIDTH, TRX, 5n);
  addFrozen(account, BANDWIDTH, TRX, 9n);
  t.same(account.frozen, [Object.assign(new AccountFrozen(), { frozenBalance: 2n * TRX, expireTime: 9n })]);
});

t.test('removes only expired stake for bandwidth, and all stake for other resources', async (t) => {
  const account = new Account();
  account.frozen.push(
    Object.assign(new AccountFrozen(), { frozenBalance: 1n, expireTime: 10n }),
    Object.assign(new AccountFrozen(), { frozenBalance: 2n, expireTime: 11n }),
  );
  addFrozen(account, ENERGY, 4n, 99n);
  addFrozen(account, TRON_POWER, 8n, 99n);
  t.same(
    [BANDWIDTH, ENERGY, TRON_POWER].map((resource) => removeFrozen(account, resource, 10n)),
    [1n, 4n, 8n],
  );
  t.same([account.frozen.length, account.tronPower], [1, undefined]);
  t.equal(account.accountResource?.frozenBalanceForEnergy, undefined);
});

t.test('counts delegated stake as stake 2.0 of the owner, except for tron power', async (t) => {
  const account = new Account();
  for (const resource of [BANDWIDTH, ENERGY, TRON_POWER]) addFrozenV2(account, resource, TRX);
  for (const resource of [BANDWIDTH, ENERGY]) addDelegatedV2(account, resource, TRX);
  t.same(
    [BANDWIDTH, ENERGY, TRON_POWER].map((resource) => stakedTrxV2(account, resource)),
    [2n, 2n, 1n],
  );
});

t.test('separates delegated and acquired stake of both versions', async (t) => {
  const account = new Account();
  for (const [resource, sun] of [
    [BANDWIDTH, 1n],
    [ENERGY, 2n],
  ] as const) {
    setAcquired(account, resource, sun);
    setAcquiredV2(account, resource, sun * 10n);
    addDelegated(account, resource, sun * 100n);
    setUsage(account, resource, sun * 1000n, sun);
  }
  t.same([acquired(account, BANDWIDTH), acquired(account, ENERGY)], [1n, 2n]);
  t.same([acquiredV2(account, BANDWIDTH), acquiredV2(account, ENERGY)], [10n, 20n]);
  t.same([account.delegatedFrozenBalanceForBandwidth, account.netUsage, account.latestConsumeTime], [100n, 1000n, 1n]);
  const { accountResource } = account;
  t.same(
    [
      accountResource?.delegatedFrozenBalanceForEnergy,
      accountResource?.energyUsage,
      accountResource?.latestConsumeTimeForEnergy,
    ],
    [200n, 2000n, 2n],
  );
});
