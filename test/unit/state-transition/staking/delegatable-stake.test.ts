import t from 'tap';
import { addFrozenV2, ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import { availableStake, takeAcquired } from '../../../../src/state-transition/staking/delegatable-stake.js';
import { acquiredV2, setAcquiredV2, setUsage } from '../../../../src/state-transition/staking/stake-fields.js';
import { addAccount, stateWith } from '../../../support/vm/state-with.js';

const { BANDWIDTH, ENERGY } = ResourceCode;
const TRX = 1_000_000n;

/**
 * Returns a state in which the account has all 10 TRX of the stake of the network. The limit is 1,000 units per day.
 * @param usage units that are already used
 */
function staked(usage: bigint, resource: number) {
  const state = stateWith({
    UNFREEZE_DELAY_DAYS: 14n,
    TOTAL_NET_WEIGHT: 10n,
    TOTAL_NET_LIMIT: 1000n,
    TOTAL_ENERGY_WEIGHT: 10n,
    TOTAL_ENERGY_CURRENT_LIMIT: 1000n,
  });
  const account = addAccount(state, 1);
  addFrozenV2(account, resource, 10n * TRX);
  setUsage(account, resource, usage, 0n);
  return { state, account };
}

t.test('excludes stake used within the day from delegation', async (t) => {
  for (const resource of [BANDWIDTH, ENERGY]) {
    const { state, account } = staked(400n, resource);
    t.equal(availableStake(state, account, resource), 6n * TRX, 'the account has used 400 of 1,000 units');
    t.equal(
      resource === BANDWIDTH ? account.netUsage : account.accountResource?.energyUsage,
      400n,
      'the account is unchanged',
    );
  }
});

t.test('reserves the bandwidth of the transaction', async (t) => {
  const { state, account } = staked(400n, BANDWIDTH);
  t.equal(availableStake(state, account, BANDWIDTH, 100n), 5n * TRX);
  const energy = staked(400n, ENERGY);
  t.equal(availableStake(energy.state, energy.account, ENERGY, 100n), 6n * TRX);
});

t.test('returns usage in proportion to the stake, but at most the resource that the stake gives', async (t) => {
  const most = (trx: number, limit: number, weight: number) => (trx * limit) / weight;
  const { state, account } = staked(0n, ENERGY);
  account.frozenV2 = [];
  setAcquiredV2(account, ENERGY, 10n * TRX);
  setUsage(account, ENERGY, 400n, 0n);
  t.equal(takeAcquired(state, account, { resource: ENERGY, sun: 5n * TRX, most }), 200n);
  t.equal(acquiredV2(account, ENERGY), 5n * TRX);
  t.equal(takeAcquired(state, account, { resource: ENERGY, sun: 5n * TRX, most: () => 3.9 }), 3n);
  setAcquiredV2(account, ENERGY, TRX);
  t.equal(
    takeAcquired(state, account, { resource: ENERGY, sun: 2n * TRX, most }),
    0n,
    'a contract that was created again',
  );
  t.equal(acquiredV2(account, ENERGY), 0n);
});
