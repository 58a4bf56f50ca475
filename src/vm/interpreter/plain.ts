import { arithmetic } from '../opcodes/arithmetic.js';
import { calls } from '../opcodes/calls.js';
import { pay } from '../opcodes/energy.js';
import { environment, wordOf } from '../opcodes/environment.js';
import { memoryAndStorage } from '../opcodes/memory-and-storage.js';
import { enabledOpcodes, opcodeNames, opcodePops, opcodePushes } from '../opcodes/table.js';
import { tron } from '../opcodes/tron.js';
import type { Frame } from './frame.js';
import type { Interpreter, Machine } from './machine.js';
import { PlainMemory } from './memory.js';
import type { OpRun } from './op-run.js';
import { PlainRun } from './plain-run.js';
import { badJump, invalidOpcode, outOfTime, stackTooLarge, stackTooSmall } from './vm-error.js';

const STACK_MAX = 1024;
/** Operations by byte; jumps, pushes and the like are in `step`. */
export const operations: Readonly<Record<number, (run: OpRun) => void>> = {
  ...arithmetic,
  ...environment,
  ...memoryAndStorage,
  ...calls,
  ...tron,
};

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
    machine.hooks?.paid?.(run);
    if (isTimed && (steps++ & 0xff) === 0 && Date.now() > machine.deadlineMs) throw outOfTime(opcodeNames[opcode]!);
    step(run, opcode);
    if (run.pc >= code.length) run.isStopped = true;
  }
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
  else if (opcode !== 0x5b) operations[opcode]!(run);
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

const memories: PlainMemory[] = [];

/** The plain interpreter with its memories, one of each depth, kept from call to call: programs run one at a time. */
export const plainInterpreter: Interpreter = {
  memory(depth) {
    // CREATE2 did not look at the depth at first, so that there may be more than 64.
    while (memories.length <= depth) memories.push(new PlainMemory());
    const memory = memories[depth]!;
    memory.reset();
    return memory;
  },
  run: runPlain,
};
