import { type Address, addressBytes, toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, toHex } from '../../primitives/bytes.js';
import { ACTIVE_WITNESSES, addressesIn } from '../../projections/governance.js';
import { unchecked } from '../errors.js';
import type { State } from '../state/state.js';
import { witnessOrder } from './witness-order.js';

/**
 * Time between two blocks of a public network, in ms. Private networks may have another time, see `ChainRules.slotMs`.
 * Reference: ChainConstant.BLOCK_PRODUCED_INTERVAL.
 */
export const SLOT_MS = 3000;
/** Number of empty slots after a maintenance block. Reference: ChainConstant.MAINTENANCE_SKIP_SLOTS. */
const MAINTENANCE_SKIP_SLOTS = 2;
/** Maximum number of active witnesses. Reference: ChainConstant.MAX_ACTIVE_WITNESS_NUM. */
const ACTIVE_WITNESSES_MAX = 27;

const ACTIVE_KEY = toHex(ACTIVE_WITNESSES);

/** Returns the active witnesses in the order in which they produce. */
export function activeWitnesses(state: State): Address[] {
  return addressesIn(state.witnessSchedule.get(ACTIVE_KEY));
}

/**
 * Makes the 27 candidates with the most votes active. Returns all candidates in order of their votes. Reference:
 * DposService.updateWitness.
 * @throws {ChainError} NullPointerException: a candidate has no witness row
 */
export function electWitnesses(state: State, candidates: readonly Address[]): Address[] {
  const rows = candidates.map((address) => {
    const witness = state.witnesses.get(address);
    if (witness === undefined) throw unchecked('NullPointerException');
    return witness;
  });
  const order = rows.sort(witnessOrder(state.properties)).map(({ address }) => toAddress(address));
  state.witnessSchedule.put(ACTIVE_KEY, concatBytes(...order.slice(0, ACTIVE_WITNESSES_MAX).map(addressBytes)));
  return order;
}

/** Returns the number of the slot that contains a time, counted from genesis (slot 0). */
export function absoluteSlot(state: State, timeMs: number): number {
  return Math.trunc((timeMs - state.rules.genesisTimeMs) / state.rules.slotMs);
}

/**
 * Returns the number of the slot that contains a time, counted from the head block. The slot after the head block has
 * number 1. Returns 0 for an earlier time. Reference: DposSlot.getSlot.
 */
export function slotAt(state: State, timeMs: number): number {
  const first = slotTime(state, 1);
  return timeMs < first ? 0 : Math.trunc((timeMs - first) / state.rules.slotMs) + 1;
}

/**
 * Returns the start of a slot, in ms. Slots are counted from the head block, and the next slot is 1. Reference:
 * DposSlot.getTime.
 */
export function slotTime(state: State, slot: number): number {
  const { properties, rules } = state;
  if (properties.get('latest_block_header_number') === 0n) return rules.genesisTimeMs + slot * rules.slotMs;
  const skipped = properties.get('state_flag') === 1n ? MAINTENANCE_SKIP_SLOTS : 0;
  const head = properties.number('latest_block_header_timestamp');
  return head - ((head - rules.genesisTimeMs) % rules.slotMs) + (slot + skipped) * rules.slotMs;
}

/**
 * Returns the time in ms of the slot after the head block. Unlike `slotTime`, does not round the time of the head down
 * to the start of its slot. Reference: getNextBlockSlotTime.
 */
export function nextBlockSlotTime({ properties, rules }: State): bigint {
  const skipped = properties.get('state_flag') === 1n ? MAINTENANCE_SKIP_SLOTS : 0;
  return properties.get('latest_block_header_timestamp') + BigInt((1 + skipped) * rules.slotMs);
}

/**
 * Returns the witness that produces in a slot. Slots are counted from the head block, which has slot 0. Reference:
 * DposSlot.getScheduledWitness.
 * @throws {ChainError} RuntimeException: the slot is before genesis, or there are no active witnesses
 */
export function scheduledWitness(state: State, slot: number): Address {
  const current = absoluteSlot(state, state.properties.number('latest_block_header_timestamp')) + slot;
  if (current < 0) throw unchecked('RuntimeException', 'current slot should be positive.');
  const witnesses = activeWitnesses(state);
  if (witnesses.length === 0) throw unchecked('RuntimeException', 'active witnesses is null.');
  return itemAt(witnesses, current % witnesses.length);
}
