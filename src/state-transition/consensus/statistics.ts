import type { Address } from '../../primitives/address.js';
import { toUtf8, utf8 } from '../../primitives/bytes.js';
import { unchecked } from '../errors.js';
import type { State } from '../state/state.js';
import { absoluteSlot, activeWitnesses, slotAt } from './schedule.js';

/** Number of slots that the participation rate covers. Reference: BLOCK_FILLED_SLOTS_NUMBER. */
const FILLED_SLOTS = 128;

/**
 * Counts a block for its producer, and the empty slots before the block as missed. Reference:
 * StatisticManager.applyBlock.
 * @throws {ChainError} NullPointerException: a witness has no row
 */
export function countBlock(state: State, block: { number: number; timeMs: number; witness: Address }): void {
  const producer = state.witnesses.toWrite(block.witness);
  if (producer === undefined) throw unchecked('NullPointerException');
  producer.totalProduced += 1n;
  producer.latestBlockNum = BigInt(block.number);
  producer.latestSlotNum = BigInt(absoluteSlot(state, block.timeMs));
  const missed = block.number === 1 ? 0 : slotAt(state, block.timeMs) - 1;
  if (missed > 0) countMissed(state, missed);
  recordSlots(state, Math.max(missed, 0));
}

/**
 * Returns the percentage of the last 128 slots that have a block, rounded down. Reference: calculateFilledSlotsCount.
 */
export function participationRate(state: State): number {
  const filled = [...toUtf8(state.properties.bytes('BLOCK_FILLED_SLOTS'))].filter((digit) => digit === '1').length;
  return Math.trunc((100 * filled) / FILLED_SLOTS);
}

/**
 * Counts missed slots for the scheduled witnesses. Counts full rounds at once, because a loop over all slots of a long
 * pause would be slow.
 */
function countMissed(state: State, missed: number): void {
  const witnesses = activeWitnesses(state);
  const first = absoluteSlot(state, state.properties.number('latest_block_header_timestamp')) + 1;
  const rounds = Math.floor(missed / witnesses.length);
  const rest = missed % witnesses.length;
  witnesses.forEach((address, index) => {
    const distance = (((index - first) % witnesses.length) + witnesses.length) % witnesses.length;
    const slots = rounds + (distance < rest ? 1 : 0);
    if (slots === 0) return;
    const row = state.witnesses.toWrite(address);
    if (row === undefined) throw unchecked('NullPointerException');
    row.totalMissed += BigInt(slots);
  });
}

/** Records `missed` empty slots and one filled slot in the ring buffer of the last 128 slots. */
function recordSlots(state: State, missed: number): void {
  const digits = [...toUtf8(state.properties.bytes('BLOCK_FILLED_SLOTS'))];
  let at = state.properties.number('BLOCK_FILLED_SLOTS_INDEX');
  const turns = Math.max(0, missed - FILLED_SLOTS);
  at = (at + turns) % FILLED_SLOTS;
  for (let slot = turns; slot < missed; slot++) {
    digits[at] = '0';
    at = (at + 1) % FILLED_SLOTS;
  }
  digits[at] = '1';
  state.properties.set('BLOCK_FILLED_SLOTS_INDEX', BigInt((at + 1) % FILLED_SLOTS));
  state.properties.setBytes('BLOCK_FILLED_SLOTS', utf8(digits.join('')));
}
