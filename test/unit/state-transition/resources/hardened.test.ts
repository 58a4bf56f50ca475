import t from 'tap';
import { Account, AccountFreezeV2, ResourceCode } from '../../../../src/codec/generated/messages.js';
import { totalBandwidthLimit } from '../../../../src/state-transition/resources/bandwidth.js';
import { adaptEnergyLimit, totalEnergyLimit } from '../../../../src/state-transition/resources/energy.js';
import { EXACT, hardenedShare, WRAPPING } from '../../../../src/state-transition/resources/long-arithmetic.js';
import { decay, increase, increaseOf } from '../../../../src/state-transition/resources/usage.js';
import { stateWith } from '../../../support/vm/state-with.js';

const HARDENED = { ALLOW_HARDEN_RESOURCE_CALCULATION: 1n } as const;
const DELAY = { UNFREEZE_DELAY_DAYS: 14n } as const;

function staked(amount: bigint, type: number = ResourceCode.BANDWIDTH): Account {
  return Object.assign(new Account(), { frozenV2: [Object.assign(new AccountFreezeV2(), { type, amount })] });
}

// Computed by hand from calculateGlobalLimitV1 and V2: floor(frozen × limit / (10^6 × weight)). The older formula uses
// doubles.
t.test('computes an exact share of the network bandwidth after hardening', async (t) => {
  const network = { TOTAL_NET_LIMIT: 43_200_000_000n, TOTAL_NET_WEIGHT: 43_200_000_003n };
  const account = staked(43_200_000_003_000_000n);
  t.equal(totalBandwidthLimit(stateWith({ ...network, ...DELAY, ...HARDENED }), account), 43_200_000_000n);
  const before = totalBandwidthLimit(stateWith({ ...network, ...DELAY }), account);
  t.ok(before === 43_200_000_000n || before === 43_199_999_999n);
  const small = staked(999_999n);
  t.equal(
    totalBandwidthLimit(stateWith({ ...network, ...DELAY, ...HARDENED }), small),
    0n,
    'a fraction of a TRX counts',
  );
  t.equal(totalBandwidthLimit(stateWith({ ...network, TOTAL_NET_WEIGHT: 0n, ...DELAY, ...HARDENED }), account), 0n);
  t.throws(() => hardenedShare(1n, 1n, 0n), { message: 'BigInteger divide by zero' });
  t.throws(() => hardenedShare(2n ** 62n, 4n, 1n), { message: 'BigInteger out of long range' });
});

t.test('computes an exact share of the network energy, of whole TRX only before the unfreezing delay', async (t) => {
  const network = { TOTAL_ENERGY_CURRENT_LIMIT: 90_000_000_000n, TOTAL_ENERGY_WEIGHT: 7n };
  const account = staked(6_999_999n, ResourceCode.ENERGY);
  t.equal(totalEnergyLimit(stateWith({ ...network, ...DELAY, ...HARDENED }), account), 89_999_987_142n);
  t.equal(totalEnergyLimit(stateWith({ ...network, ...HARDENED }), account), (6n * 90_000_000_000n) / 7n);
});

t.test('usage above 9.2e12 overflows before hardening, and not after', async (t) => {
  const usage = 10_000_000_000_000n;
  t.equal(decay(EXACT, usage, 5n, 5n), usage);
  t.not(decay(WRAPPING, usage, 5n, 5n), usage);
  for (const ordinary of [0n, 1n, 28_799n, 123_456_789n]) {
    const step = { lastUsage: ordinary, lastTime: 7n, now: 5_000n, usage: 300n };
    t.equal(increase(EXACT, step), increase(WRAPPING, step));
  }
});

t.test('computes the same window of an account before and after hardening for ordinary values', async (t) => {
  const step = { lastUsage: 5_000n, usage: 300n, lastTime: 1_000n, now: 9_000n };
  const results = [DELAY, { ...DELAY, ...HARDENED }].map((properties) => {
    const account = new Account();
    return [increaseOf(stateWith(properties), account, ResourceCode.BANDWIDTH, step), account.netWindowSize];
  });
  t.same(results[0], results[1]);
});

t.test('adjusts the network limit without overflow', async (t) => {
  const huge = { TOTAL_ENERGY_CURRENT_LIMIT: 10n ** 17n, TOTAL_ENERGY_LIMIT: 10n ** 17n };
  const state = stateWith({ ...huge, ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER: 50n, ...HARDENED });
  adaptEnergyLimit(state);
  t.equal(state.properties.get('TOTAL_ENERGY_CURRENT_LIMIT'), 10n ** 20n / 999n);
  const over = stateWith({ ...huge, ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER: 1_000n, ...HARDENED });
  t.throws(() => adaptEnergyLimit(over), { message: 'BigInteger out of long range' });
});
