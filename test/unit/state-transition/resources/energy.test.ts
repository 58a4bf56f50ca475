import t from 'tap';
import { AccountFrozen } from '../../../../src/codec/generated/messages.js';
import type { LongProperty } from '../../../../src/state-transition/parameters/property-table.js';
import {
  adaptEnergyLimit,
  leftEnergy,
  totalEnergyLimit,
  updateEnergyUsage,
  useEnergy,
} from '../../../../src/state-transition/resources/energy.js';
import { resourceOf } from '../../../../src/state-transition/state/state.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const OWNER = addressOf(1);
const TRX = 1_000_000n;

function staked(sun: bigint, properties: Partial<Record<LongProperty, bigint>> = {}) {
  const state = stateWith({ TOTAL_ENERGY_WEIGHT: 10n, TOTAL_ENERGY_CURRENT_LIMIT: 1000n, ...properties });
  const account = addAccount(state, 1);
  resourceOf(account).frozenBalanceForEnergy = Object.assign(new AccountFrozen(), { frozenBalance: sun });
  return { state, account };
}

// Reference: EnergyProcessor.calculateGlobalEnergyLimit, calculateGlobalEnergyLimitV2, and their hardened forms.
const limits: readonly (readonly [sun: bigint, properties: Partial<Record<LongProperty, bigint>>, limit: bigint])[] = [
  [TRX - 1n, {}, 0n],
  [TRX, {}, 100n],
  [TRX + TRX / 2n, {}, 100n],
  [TRX + TRX / 2n, { UNFREEZE_DELAY_DAYS: 14n }, 150n],
  [TRX / 2n, { UNFREEZE_DELAY_DAYS: 14n }, 50n],
  [TRX, { UNFREEZE_DELAY_DAYS: 14n, TOTAL_ENERGY_WEIGHT: 0n }, 0n],
  [TRX, { ALLOW_NEW_REWARD: 1n, TOTAL_ENERGY_WEIGHT: 0n }, 0n],
  [TRX + TRX / 2n, { ALLOW_HARDEN_RESOURCE_CALCULATION: 1n }, 100n],
  [TRX + TRX / 2n, { ALLOW_HARDEN_RESOURCE_CALCULATION: 1n, UNFREEZE_DELAY_DAYS: 14n }, 150n],
];

t.test('grants a share of the limit by whole TRX, and by SUN since stake 2.0', async (t) => {
  for (const [sun, properties, limit] of limits) {
    const { state, account } = staked(sun, properties);
    t.equal(totalEnergyLimit(state, account), limit, `${sun} ${Object.keys(properties).join(' ')}`);
  }
});

t.test('consumes staked energy, and refuses more than is left', async (t) => {
  const { state, account } = staked(TRX, { ALLOW_ADAPTIVE_ENERGY: 1n });
  t.ok(useEnergy(state, OWNER, 60n, 0n));
  t.equal(leftEnergy(state, account), 40n);
  t.notOk(useEnergy(state, OWNER, 41n, 0n));
  t.same([account.accountResource?.energyUsage, state.properties.get('BLOCK_ENERGY_USAGE')], [60n, 60n]);
});

// Found by a comparison with java-tron. With proposal 25, the account trie contains only accounts that were stored.
t.test('does not store an account above its limit, even for an amount of 0', async (t) => {
  const { state } = staked(TRX);
  t.ok(useEnergy(state, OWNER, 100n, 0n));
  state.properties.set('TOTAL_ENERGY_WEIGHT', 20n);
  const mark = state.mark();
  t.notOk(useEnergy(state, OWNER, 0n, 0n));
  t.same(state.accountsWrittenSince(mark), []);
  t.ok(useEnergy(state, OWNER, 0n, 28_800n), 'the energy is recovered a day later');
  t.equal(state.accountsWrittenSince(mark).length, 1);
});

t.test('recovers all energy after a day', async (t) => {
  const { state, account } = staked(TRX, { UNFREEZE_DELAY_DAYS: 14n });
  t.ok(useEnergy(state, OWNER, 100n, 0n));
  t.equal(leftEnergy(state, account), 0n);
  state.properties.set('latest_block_header_timestamp', 86_400_000n);
  t.equal(leftEnergy(state, account), 100n);
  updateEnergyUsage(state, account);
  t.equal(account.accountResource?.energyUsage, 0n);
});

t.test('lowers the limit of a busy network and raises it for a quiet one, within bounds', async (t) => {
  const limitAfter = (current: bigint, used: bigint): bigint => {
    const state = stateWith({
      TOTAL_ENERGY_LIMIT: 1000n,
      TOTAL_ENERGY_CURRENT_LIMIT: current,
      TOTAL_ENERGY_TARGET_LIMIT: 10n,
      ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER: 50n,
      BLOCK_ENERGY_USAGE: used,
    });
    adaptEnergyLimit(state);
    return state.properties.get('TOTAL_ENERGY_CURRENT_LIMIT');
  };
  t.equal(limitAfter(10_000n, 1000n), 9900n);
  t.equal(limitAfter(10_000n, 0n), 10_010n);
  t.equal(limitAfter(1005n, 1000n), 1000n, 'not below the minimum');
  t.equal(limitAfter(50_000n, 0n), 50_000n, 'not above the maximum');
});
