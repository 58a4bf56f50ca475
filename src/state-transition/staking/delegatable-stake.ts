import type { Account } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import { max64, min64, wrap64 } from '../../primitives/int64.js';
import { SUN_PER_TRX } from '../../primitives/units.js';
import { updateStakedUsage } from '../resources/bandwidth.js';
import { updateEnergyUsage } from '../resources/energy.js';
import {
  allFrozenForBandwidth,
  allFrozenForEnergy,
  frozenForBandwidth,
  frozenForEnergy,
  frozenV2,
  ResourceCode,
} from '../resources/stake.js';
import { usageOfAccount } from '../resources/usage.js';
import type { State } from '../state/state.js';
import { acquired, acquiredV2, setAcquiredV2, weightProperty } from './stake-fields.js';

/**
 * Returns the stake 2.0 in SUN that the account can delegate: the part that its current usage does not need. Does not
 * change `found`.
 * @param extraBytes bandwidth in bytes to reserve for the delegation transaction itself, if an API builds it
 */
export function availableStake(state: State, found: Account, resource: number, extraBytes = 0n): bigint {
  const account = found.clone();
  updateUsage(state, account, resource);
  const { weight, limit } = network(state, resource);
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  const usage = wrap64((usageOfAccount(account, resource) + (isBandwidth ? extraBytes : 0n)) * SUN_PER_TRX);
  const used = toLong(Number(usage) * (weight / limit));
  const frozen = isBandwidth ? frozenForBandwidth(account) : frozenForEnergy(account);
  const needed = max64(0n, used - frozen - acquired(account, resource) - acquiredV2(account, resource));
  return frozenV2(account, resource) - needed;
}

/**
 * Computes, as a double, the maximum usage that can move back to the owner with undelegated stake. Transactions and
 * TVM programs multiply in different orders, so their results can differ by rounding.
 */
type MostUsage = (trx: number, limit: number, weight: number) => number;

/**
 * Removes delegated stake from its receiver, and updates the receiver's usage to the current slot.
 * @returns the share of the receiver's usage that moves back to the owner with the stake; the caller must subtract
 * this share from the receiver's usage
 */
export function takeAcquired(
  state: State,
  receiver: Account,
  { resource, sun, most }: { resource: number; sun: bigint; most: MostUsage },
): bigint {
  updateUsage(state, receiver, resource);
  const before = acquiredV2(receiver, resource);
  if (before < sun) {
    // The receiver has less delegated stake than the owner delegated. This happens if the receiver is a contract that
    // was destroyed and created again.
    setAcquiredV2(receiver, resource, 0n);
    return 0n;
  }
  const { weight, limit } = network(state, resource);
  const all = resource === ResourceCode.BANDWIDTH ? allFrozenForBandwidth(receiver) : allFrozenForEnergy(receiver);
  const share = toLong(Number(usageOfAccount(receiver, resource)) * (Number(sun) / Number(all)));
  setAcquiredV2(receiver, resource, before - sun);
  return min64(toLong(most(Number(sun) / Number(SUN_PER_TRX), limit, weight)), share);
}

function updateUsage(state: State, account: Account, resource: number): void {
  if (resource === ResourceCode.BANDWIDTH) updateStakedUsage(state, account);
  else updateEnergyUsage(state, account);
}

function network({ properties }: State, resource: number): { weight: number; limit: number } {
  const isBandwidth = resource === ResourceCode.BANDWIDTH;
  return {
    weight: properties.number(weightProperty(resource)),
    limit: properties.number(isBandwidth ? 'TOTAL_NET_LIMIT' : 'TOTAL_ENERGY_CURRENT_LIMIT'),
  };
}
