import { max64 } from '../../log/domain/int64.js';
import { energyForCall } from '../interpreter/creations.js';
import type { Frame } from '../interpreter/frame.js';
import type { OpRun } from '../interpreter/op-run.js';
import { penaltyOf } from '../interpreter/penalty.js';
import {
  longRange,
  memoryOverflow,
  outOfEnergy,
  outOfEnergyAhead,
  outOfEnergyWithPenalty,
} from '../interpreter/vm-error.js';
import { opcodeEnergy, opcodeNames } from './table.js';

/** Bytes of memory that a program may use. Reference: EnergyCost.MEM_LIMIT. */
export const MEMORY_MAX = 3 * 1024 * 1024;
/** Given to a call that carries a value, on top of what the caller gives. Reference: EnergyCost.STIPEND_CALL. */
export const STIPEND = 2300;
const MEMORY_MAX_WORD = BigInt(MEMORY_MAX);
const LONG_MAX = (1n << 63n) - 1n;

/** Energy of opcodes without a fixed price, by byte. Reference: EnergyCost. */
export const dynamicEnergy: Readonly<Record<number, (run: OpRun) => number>> = {
  10: (run) => 10 + 10 * byteLength(run.peek(1)),
  32: (run) => 30 + memory(run, needed(run.peek(0), run.peek(1))) + 6 * words(run.peek(1)),
  55: (run) => copy(run, 0, 2),
  57: (run) => copy(run, 0, 2),
  60: (run) => 20 + copy(run, 1, 3),
  62: (run) => copy(run, 0, 2),
  81: (run) => memoryBase(run) + memory(run, needed(run.peek(0), 32n)),
  82: (run) => memoryBase(run) + memory(run, needed(run.peek(0), 32n)),
  83: (run) => memoryBase(run) + memory(run, needed(run.peek(0), 1n)),
  85: store,
  160: log,
  161: log,
  162: log,
  163: log,
  164: log,
  208: (run) => callEnergy(run, valueEnergy(run, true), 4),
  213: (run) => 20_000 + (isUnknown(run, run.peek(2)) ? 25_000 : 0),
  216: vote,
  240: (run) => 32_000 + memory(run, needed(run.peek(1), run.peek(2))),
  241: (run) => callEnergy(run, valueEnergy(run, true), 3),
  242: (run) => callEnergy(run, valueEnergy(run, false), 3),
  243: (run) => memory(run, needed(run.peek(0), run.peek(1))),
  244: (run) => callEnergy(run, 40, 2),
  245: (run) => 32_000 + memory(run, needed(run.peek(1), run.peek(2))) + 6 * words(run.peek(2)),
  250: (run) => callEnergy(run, 40, 2),
  253: (run) => memory(run, needed(run.peek(0), run.peek(1))),
};

const CALLS = new Set([0xd0, 0xf1, 0xf2, 0xf4, 0xfa]);

/** Takes the price of an operation, with the penalty of a hot contract. @throws {VmError} */
export function pay(run: OpRun, opcode: number): void {
  const { frame } = run;
  const fixed = opcodeEnergy[opcode]!;
  const total = fixed >= 0 ? fixed : dynamicEnergy[opcode]!(run);
  const isCall = CALLS.has(opcode);
  const penalty = isCall ? run.callPenalty : penaltyOf(total, frame.factor);
  const cost = isCall ? total : total + penalty;
  takeEnergy(frame, opcode, cost, penalty);
  frame.usage += isCall ? total - run.callEnergy - penalty : total;
}

/** @throws {VmError} there is not enough */
export function takeEnergy(frame: Frame, opcode: number, cost: number, penalty: number): void {
  if (frame.energyLeft < cost) {
    const name = opcodeNames[opcode]!;
    throw frame.factor > 10_000
      ? outOfEnergyWithPenalty(name, frame.energyLimit, cost - penalty, penalty, frame.energyUsed)
      : outOfEnergy(name, frame.energyLimit, cost, frame.energyUsed);
  }
  frame.energyUsed += cost;
  frame.penalty += penalty;
}

/** Energy for growing memory from one size to another, both whole words in bytes. */
export function growthEnergy(from: number, to: number): number {
  const before = from / 32;
  const after = to / 32;
  return 3 * after + Math.floor((after * after) / 512) - (3 * before + Math.floor((before * before) / 512));
}

function memoryBase({ machine }: OpRun): number {
  return machine.rules.higherCpuLimit ? 1 : 0;
}

function needed(offset: bigint, size: bigint): bigint {
  return size === 0n ? 0n : offset + size;
}

function memory(run: OpRun, end: bigint): number {
  if (end > MEMORY_MAX_WORD) throw memoryOverflow(opcodeNames[run.opcode]!);
  const size = Math.ceil(Number(end) / 32) * 32;
  const { memory: bytes } = run.frame;
  return size > bytes.size ? growthEnergy(bytes.size, size) : 0;
}

function copy(run: OpRun, offset: number, length: number): number {
  return memory(run, needed(run.peek(offset), run.peek(length))) + 3 * words(run.peek(length));
}

/** Words of a size that memory was found to hold. */
function words(size: bigint): number {
  return Number((size + 31n) / 32n);
}

function byteLength(word: bigint): number {
  return word === 0n ? 0 : Math.ceil(word.toString(16).length / 2);
}

function store(run: OpRun): number {
  const isPresent = run.isStored(run.peek(0));
  const isZero = run.peek(1) === 0n;
  return !isPresent && !isZero ? 20_000 : 5000;
}

function log(run: OpRun): number {
  const size = run.peek(1);
  const name = opcodeNames[run.opcode]!;
  const left = run.frame.energyLeft;
  if (size * 8n > BigInt(left)) {
    // The text of the refusal holds the price as a long; a price beyond fails in printing.
    if (size * 8n > LONG_MAX) throw longRange();
    throw outOfEnergyAhead(name, size * 8n, left);
  }
  const topics = run.opcode - 0xa0;
  return 375 + 375 * topics + 8 * Number(size) + memory(run, needed(run.peek(0), size));
}

function vote(run: OpRun): number {
  const amounts = needed(run.peek(1), BigInt.asUintN(256, run.peek(0) * 32n));
  const witnesses = needed(run.peek(3), BigInt.asUintN(256, run.peek(2) * 32n));
  return 30_000 + memory(run, max64(amounts, witnesses));
}

function valueEnergy(run: OpRun, createsAccount: boolean): number {
  if (run.peek(2) === 0n) return 40;
  return 40 + 9000 + (createsAccount && isUnknown(run, run.peek(1)) ? 25_000 : 0);
}

function isUnknown({ machine }: OpRun, word: bigint): boolean {
  return machine.accounts.get(machine.addressOf(word)) === undefined;
}

/** Sets what the call gets. @param at place of the input's offset on the stack */
function callEnergy(run: OpRun, base: number, at: number): number {
  const { frame, machine } = run;
  const input = needed(run.peek(at), run.peek(at + 1));
  const output = needed(run.peek(at + 2), run.peek(at + 3));
  let cost = base + memory(run, max64(input, output));
  run.callPenalty = penaltyOf(cost, frame.factor);
  cost += run.callPenalty;
  const left = frame.energyLeft;
  if (cost > left) throw outOfEnergyAhead(opcodeNames[run.opcode]!, cost, left);
  const available = energyForCall(frame, machine.rules.compatibleEvm, left - cost);
  const asked = run.peek(0);
  run.callEnergy = asked > BigInt(available) ? available : Number(asked);
  return cost + run.callEnergy;
}
