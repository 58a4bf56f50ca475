import { ContractState } from '../../codec/generated/messages.js';
import { toLong } from '../../java-compat/double.js';
import type { Address } from '../../primitives/address.js';
import { chainPow } from '../state/chain-pow.js';
import type { State } from '../state/state.js';

const FACTOR_ONE = 10_000n;
const DECREASE_DIVISION = 4;

/**
 * Updates the energy factor of a contract (dynamic energy) to the current cycle. Reference:
 * Program.updateContextContractFactor.
 * @returns price factor in units of 1/10000; 10000 is the normal price
 */
export function energyFactor(state: State, contract: Address): number {
  const { contractStates, properties } = state;
  const cycle = properties.get('CURRENT_CYCLE_NUMBER');
  const row = contractStates.get(contract);
  if (row === undefined) contractStates.put(contract, newHeat(cycle, 0n));
  else if (row.updateCycle !== cycle) contractStates.put(contract, caughtUp(row, cycle, state));
  return Number(contractStates.existing(contract).energyFactor + FACTOR_ONE);
}

/** Adds energy to a contract's energy usage in this cycle. */
export function addContractUsage({ contractStates }: State, contract: Address, energy: number): void {
  const row = contractStates.existingToWrite(contract);
  row.energyUsage = BigInt.asIntN(64, row.energyUsage + BigInt(energy));
}

/**
 * Returns a contract's row with the energy factor updated to the current cycle. Reference:
 * ContractStateCapsule.catchUpToCycle.
 */
export function caughtUp(row: ContractState, cycle: bigint, { properties }: State): ContractState {
  let { updateCycle, energyFactor } = row;
  if (updateCycle > cycle || updateCycle === 0n) return newHeat(cycle, 0n);
  const increase = Number(properties.get('DYNAMIC_ENERGY_INCREASE_FACTOR'));
  let next = row;
  if (row.energyUsage > properties.get('DYNAMIC_ENERGY_THRESHOLD')) {
    updateCycle += 1n;
    const risen = toLong(Number(energyFactor + FACTOR_ONE) * (1 + increase / Number(FACTOR_ONE))) - FACTOR_ONE;
    const max = properties.get('DYNAMIC_ENERGY_MAX_FACTOR');
    energyFactor = risen < max ? risen : max;
    next = newHeat(updateCycle, energyFactor);
  }
  const cycles = cycle - updateCycle;
  if (cycles <= 0n) return next;
  const decrease = chainPow(properties, 1 - increase / DECREASE_DIVISION / Number(FACTOR_ONE), Number(cycles));
  const fallen = toLong(Number(energyFactor + FACTOR_ONE) * decrease) - FACTOR_ONE;
  return newHeat(cycle, fallen > 0n ? fallen : 0n);
}

function newHeat(updateCycle: bigint, energyFactor: bigint): ContractState {
  return Object.assign(new ContractState(), { updateCycle, energyFactor });
}
