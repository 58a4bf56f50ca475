import { itemAt } from '../../primitives/assert.js';
import { INT64_MAX, max64 } from '../../primitives/int64.js';
import {
  longRange,
  memoryOverflow,
  outOfEnergy,
  outOfEnergyAhead,
  outOfEnergyWithPenalty,
} from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import { penaltyOf } from '../machine/penalty.js';
import type { DynamicPrice, InstructionSet } from './instruction-sets.js';
import type { OpRun } from './op-run.js';
import * as price from './prices.js';

// Prices that depend on operands. Reference: EnergyCost.

const MEMORY_MAX_WORD = BigInt(price.MEMORY_MAX);

export const exp = dynamic((run) => price.EXP + price.EXP_BYTE * byteLength(run.peek(1)));
export const sha3 = dynamic((run) => price.SHA3 + range(run, 0, 1) + price.SHA3_WORD * words(run.peek(1)));
export const copy = dynamic((run) => copied(run, 0, 2));
export const copyOf = dynamic((run) => price.EXT_CODE_COPY + copied(run, 1, 3));
export const copyMemory = dynamic((run) => {
  const size = run.peek(2);
  const offset = max64(run.peek(0), run.peek(1));
  return price.VERY_LOW + memory(run, needed(offset, size)) + price.COPY_WORD * words(size);
});
export const sstoreEnergy = dynamic((run) => storeEnergy(run.isStored(run.peek(0)), run.peek(1) === 0n));
export const freezeEnergy = dynamic((run) => price.FREEZE + newAccount(run, run.peek(2)));
export const vote = dynamic((run) => voteEnergy(run, (length) => BigInt.asUintN(256, length * 32n)));
/**
 * Energy of VOTEWITNESS since proposal 81. The size of an array in memory includes the word that contains its length.
 * The computation of the size wraps at 2^256.
 */
export const voteWithLengths = dynamic((run) =>
  voteEnergy(run, (length) => BigInt.asUintN(256, BigInt.asUintN(256, length * 32n) + 32n)),
);
export const voteUnbounded = dynamic((run) => voteEnergy(run, (length) => length * 32n + 32n));
export const selfDestructEnergy = dynamic((run) => price.SELF_DESTRUCT + newAccount(run, run.peek(0)));
export const selfDestructRestricted = dynamic((run) => price.SELF_DESTRUCT_RESTRICTED + newAccount(run, run.peek(0)));
export const createEnergy = dynamic((run) => price.CREATE + range(run, 1, 2));
export const create2 = dynamic((run) => price.CREATE + range(run, 1, 2) + price.SHA3_WORD * words(run.peek(2)));
export const result = dynamic((run) => range(run, 0, 1));
export const callEnergy = calling((run) => callPrice(run, valueEnergy(run, true), 3));
export const callToken = calling((run) => callPrice(run, valueEnergy(run, true), 4));
export const callCode = calling((run) => callPrice(run, valueEnergy(run, false), 3));
export const delegateCall = calling((run) => callPrice(run, price.CALL, 2));

/** Returns the energy of SSTORE. @param isStored true if the slot has a row, even with the value zero */
export function storeEnergy(isStored: boolean, isZero: boolean): number {
  return isStored || isZero ? price.SSTORE_RESET : price.SSTORE_SET;
}

/** Returns the price of MLOAD or MSTORE. */
export function memoryWord(base: number): DynamicPrice {
  return { base, of: (run) => base + memory(run, needed(run.peek(0), 32n)) };
}

export function memoryByte(base: number): DynamicPrice {
  return { base, of: (run) => base + memory(run, needed(run.peek(0), 1n)) };
}

export function logEnergy(topics: number): DynamicPrice {
  return dynamic((run) => logPrice(run, topics));
}

function dynamic(of: DynamicPrice['of']): DynamicPrice {
  return { of };
}

function calling(of: DynamicPrice['of']): DynamicPrice {
  return { of, isCall: true };
}

/**
 * Charges an operation, including the dynamic energy penalty.
 * @throws {VmError} the energy is not sufficient, or the memory is too large
 */
export function pay(run: OpRun, instructions: InstructionSet, opcode: number): void {
  const { frame } = run;
  const varying = instructions.dynamic[opcode];
  const total = varying === undefined ? itemAt(instructions.energy, opcode) : varying.of(run);
  const isCall = varying?.isCall === true;
  const penalty = isCall ? run.callPenalty : penaltyOf(total, frame.factor);
  const cost = isCall ? total : total + penalty;
  spendEnergy(frame, run.name, cost, penalty);
  frame.usage += isCall ? total - run.callEnergy - penalty : total;
}

/**
 * Charges `cost` energy. `penalty` is the part of the cost that is the dynamic energy penalty.
 * @throws {VmError} the energy is not sufficient
 */
export function spendEnergy(frame: CallFrame, name: string, cost: number, penalty: number): void {
  if (frame.energyLeft < cost) {
    const { energyLimit: limit, energyUsed: used } = frame;
    throw frame.factor > 10_000
      ? outOfEnergyWithPenalty(name, { limit, cost: cost - penalty, penalty, used })
      : outOfEnergy(name, { limit, cost, used });
  }
  frame.energyUsed += cost;
  frame.penalty += penalty;
}

/**
 * Returns the maximum energy that a call can pass to the called program: all remaining energy, or 63/64 of it if the
 * caller was created under the compatible EVM rules.
 */
export function energyForCall(frame: CallFrame, compatibleEvm: boolean, available: number): number {
  return compatibleEvm && frame.contractVersion === 1 ? available - Math.floor(available / 64) : available;
}

/** Returns the energy of memory growth. Both sizes are in bytes and multiples of 32. */
export function growthEnergy(from: number, to: number): number {
  return memoryEnergy(to / 32) - memoryEnergy(from / 32);
}

function memoryEnergy(count: number): number {
  return price.MEMORY_WORD * count + Math.floor((count * count) / 2 ** price.MEMORY_SQUARE_BITS);
}

function needed(offset: bigint, size: bigint): bigint {
  return size === 0n ? 0n : offset + size;
}

function memory(run: OpRun, end: bigint): number {
  if (end > MEMORY_MAX_WORD) throw memoryOverflow(run.name);
  const size = Math.ceil(Number(end) / 32) * 32;
  const { memory: bytes } = run.frame;
  return size > bytes.size ? growthEnergy(bytes.size, size) : 0;
}

/**
 * Returns the energy for growing the memory to the end of a range.
 * @param offset stack position of the range's offset
 * @param size stack position of the range's size
 */
function range(run: OpRun, offset: number, size: number): number {
  return memory(run, needed(run.peek(offset), run.peek(size)));
}

function copied(run: OpRun, offset: number, length: number): number {
  return range(run, offset, length) + price.COPY_WORD * words(run.peek(length));
}

/** Converts a size in bytes to words. The caller must have checked that a memory of this size is allowed. */
function words(size: bigint): number {
  return Number((size + 31n) / 32n);
}

function byteLength(word: bigint): number {
  return word === 0n ? 0 : Math.ceil(word.toString(16).length / 2);
}

function logPrice(run: OpRun, topics: number): number {
  const size = run.peek(1);
  const data = size * BigInt(price.LOG_BYTE);
  const left = run.frame.energyLeft;
  if (data > BigInt(left)) {
    // The error text contains the price as a long. For a larger price, java-tron fails while it formats the text.
    if (data > INT64_MAX) throw longRange();
    throw outOfEnergyAhead(run.name, data, left);
  }
  return price.LOG + price.LOG_TOPIC * topics + Number(data) + range(run, 0, 1);
}

/**
 * Returns the energy of VOTEWITNESS.
 * @param size returns the size in bytes of an array with a given length, under the current rules
 */
function voteEnergy(run: OpRun, size: (length: bigint) => bigint): number {
  const amounts = needed(run.peek(1), size(run.peek(0)));
  const witnesses = needed(run.peek(3), size(run.peek(2)));
  return price.VOTE_WITNESS + memory(run, max64(amounts, witnesses));
}

function valueEnergy(run: OpRun, createsAccount: boolean): number {
  if (run.peek(2) === 0n) return price.CALL;
  return price.CALL + price.CALL_WITH_VALUE + (createsAccount ? newAccount(run, run.peek(1)) : 0);
}

function newAccount({ machine }: OpRun, word: bigint): number {
  return machine.accounts.get(machine.addressOf(word)) === undefined ? price.NEW_ACCOUNT : 0;
}

/**
 * Computes the price of a call. Also sets the energy that the called program gets.
 * @param at stack position of the input offset
 */
function callPrice(run: OpRun, base: number, at: number): number {
  const { frame, machine } = run;
  const input = needed(run.peek(at), run.peek(at + 1));
  const output = needed(run.peek(at + 2), run.peek(at + 3));
  let cost = base + memory(run, max64(input, output));
  run.callPenalty = penaltyOf(cost, frame.factor);
  cost += run.callPenalty;
  const left = frame.energyLeft;
  if (cost > left) throw outOfEnergyAhead(run.name, cost, left);
  const available = energyForCall(frame, machine.rules.compatibleEvm, left - cost);
  const requested = run.peek(0);
  run.callEnergy = requested > BigInt(available) ? available : Number(requested);
  return cost + run.callEnergy;
}
