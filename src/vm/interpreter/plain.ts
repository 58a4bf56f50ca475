import { arithmetic } from '../opcodes/arithmetic.js';
import { calls } from '../opcodes/calls.js';
import { dynamicEnergy, penaltyOf } from '../opcodes/energy.js';
import { environment, wordOf } from '../opcodes/environment.js';
import { memoryAndStorage } from '../opcodes/memory-and-storage.js';
import { enabledOpcodes, opcodeEnergy, opcodeNames, opcodePops, opcodePushes } from '../opcodes/table.js';
import { tron } from '../opcodes/tron.js';
import type { Frame } from './frame.js';
import type { Machine } from './machine.js';
import { PlainRun } from './plain-run.js';
import {
  badJump,
  invalidOpcode,
  outOfEnergy,
  outOfEnergyWithPenalty,
  outOfTime,
  stackTooLarge,
  stackTooSmall,
} from './vm-error.js';

const STACK_MAX = 1024;
const families: Readonly<Record<number, (run: PlainRun) => void>> = {
  ...arithmetic,
  ...environment,
  ...memoryAndStorage,
  ...calls,
  ...tron,
};
const CALLS = new Set([0xd0, 0xf1, 0xf2, 0xf4, 0xfa]);

/**
 * The plain interpreter: one operation after the other, as the rules say them. It is the other side of the fuzzer, and runs
 * whatever is watched. Reference: VM.play.
 * @throws {VmError}
 */
export function runPlain(machine: Machine, frame: Frame): void {
  const run = new PlainRun(machine, frame);
  const enabled = enabledOpcodes(machine.rules);
  const { code } = frame;
  const isTimed = machine.deadlineMs !== Number.POSITIVE_INFINITY;
  let steps = 0;
  while (!run.isStopped) {
    const opcode = code[run.pc] ?? 0;
    run.opcode = opcode;
    machine.hooks?.step?.(run, run.pc, opcode);
    if (enabled[opcode] === 0) throw invalidOpcode(opcode);
    const size = run.stack.length;
    if (size < opcodePops[opcode]!) throw stackTooSmall(opcodePops[opcode]!, size);
    if (size - opcodePops[opcode]! + opcodePushes[opcode]! > STACK_MAX) throw stackTooLarge();
    pay(run, opcode);
    if (isTimed && (steps++ & 0xff) === 0 && Date.now() > machine.deadlineMs) throw outOfTime(opcodeNames[opcode]!);
    step(run, opcode);
    if (run.pc >= code.length) run.isStopped = true;
  }
}

function pay(run: PlainRun, opcode: number): void {
  const { frame } = run;
  const fixed = opcodeEnergy[opcode]!;
  const total = fixed >= 0 ? fixed : dynamicEnergy[opcode]!(run);
  const isCall = CALLS.has(opcode);
  const penalty = isCall ? run.callPenalty : penaltyOf(total, frame.factor);
  const cost = isCall ? total : total + penalty;
  frame.usage += isCall ? total - run.callEnergy - penalty : total;
  if (frame.energyLeft < cost) {
    const name = opcodeNames[opcode]!;
    throw frame.factor > 10_000
      ? outOfEnergyWithPenalty(name, frame.energyLimit, cost - penalty, penalty, frame.energyUsed)
      : outOfEnergy(name, frame.energyLimit, cost, frame.energyUsed);
  }
  frame.energyUsed += cost;
  frame.penalty += penalty;
}

function step(run: PlainRun, opcode: number): void {
  if (opcode === 0x56 || opcode === 0x57) {
    const target = run.pop();
    if (opcode === 0x56 || run.pop() !== 0n) {
      jump(run, target);
      return;
    }
  } else if (opcode >= 0x60 && opcode <= 0x7f) {
    const count = opcode - 0x5f;
    const bytes = new Uint8Array(count);
    bytes.set(run.frame.code.subarray(run.pc + 1, run.pc + 1 + count));
    run.push(wordOf(bytes));
    run.pc += count;
  } else if (opcode === 0x5f) run.push(0n);
  else if (opcode >= 0x80 && opcode <= 0x8f) run.push(run.peek(opcode - 0x80));
  else if (opcode >= 0x90 && opcode <= 0x9f) swap(run.stack, opcode - 0x8f);
  else if (opcode !== 0x5b) families[opcode]!(run);
  run.pc++;
}

function jump(run: PlainRun, word: bigint): void {
  if (word > 0xffffffffn) throw badJump(-1);
  const target = Number(BigInt.asIntN(32, word));
  if (!jumpTargets(run.frame.code).has(target)) throw badJump(target);
  run.pc = target;
}

function swap(stack: bigint[], below: number): void {
  const top = stack.length - 1;
  const word = stack[top]!;
  stack[top] = stack[top - below]!;
  stack[top - below] = word;
}

const targetsOf = new WeakMap<Uint8Array, ReadonlySet<number>>();

/** Places of JUMPDEST that are no data of a PUSH. Reference: ProgramPrecompile.compile. */
export function jumpTargets(code: Uint8Array): ReadonlySet<number> {
  const known = targetsOf.get(code);
  if (known !== undefined) return known;
  const targets = new Set<number>();
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc]!;
    if (opcode === 0x5b) targets.add(pc);
    if (opcode >= 0x60 && opcode <= 0x7f) pc += opcode - 0x5f;
  }
  targetsOf.set(code, targets);
  return targets;
}
