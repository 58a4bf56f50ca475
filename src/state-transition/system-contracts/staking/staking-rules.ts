import type { Account } from '../../../codec/generated/messages.js';
import { isAddress, toAddress } from '../../../primitives/address.js';
import { refuse } from '../../errors.js';
import type { LongProperty } from '../../parameters/property-table.js';
import { ResourceCode } from '../../resources/stake.js';
import type { State } from '../../state/state.js';

/** Default lock period in blocks: three days. Reference: DELEGATE_PERIOD / 3000. */
export const DEFAULT_LOCK_BLOCKS = 86_400n;

const WEIGHTS: Readonly<Record<number, LongProperty>> = {
  [ResourceCode.BANDWIDTH]: 'TOTAL_NET_WEIGHT',
  [ResourceCode.ENERGY]: 'TOTAL_ENERGY_WEIGHT',
  [ResourceCode.TRON_POWER]: 'TOTAL_TRON_POWER_WEIGHT',
};

/** Adds TRX to the network's total stake of a resource. With `ALLOW_NEW_REWARD`, the total never becomes negative. */
export function addTotalWeight(state: State, resource: number, trx: bigint): void {
  const property = WEIGHTS[resource];
  if (trx === 0n || property === undefined) return;
  const weight = state.properties.get(property) + trx;
  const isFloored = state.properties.isOn('ALLOW_NEW_REWARD') && weight < 0n;
  state.properties.set(property, isFloored ? 0n : weight);
}

/**
 * Returns the owner's account.
 * @param missing end of the error text for a missing account
 * @throws {ContractValidateError} the address is invalid, or the account does not exist
 */
export function requireOwner(state: State, address: Uint8Array, missing = 'not exists'): Account {
  if (!isAddress(address, state.rules.addressPrefix)) refuse('Invalid address');
  const owner = toAddress(address);
  return state.account(owner) ?? refuse(`Account[${owner}] ${missing}`);
}
