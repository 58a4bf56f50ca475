// biome-ignore-all lint/style/noNonNullAssertion: opcodes are bytes and opcode tables have 256 rows; the stack height is checked before each read

import {
  badJump,
  invalidOpcode,
  outOfTime,
  STACK_MAX,
  stackTooLarge,
  stackTooSmall,
} from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import type { Interpreter, Machine } from '../machine/machine.js';
import { PlainMemory } from '../machine/memory.js';
import { jumpDestinations, wordBytesBehind } from '../opcodes/code-layout.js';
import { pay } from '../opcodes/energy.js';
import type { Flow } from '../opcodes/instruction-sets.js';
import { instructionSets } from '../opcodes/table.js';
import { ReferenceRun } from './reference-run.js';

/**
 * Runs a program in the plain interpreter, which executes one operation after the other. Traced transactions run in
 * the plain interpreter. The fuzzer compares the WebAssembly interpreter with it. Reference: VM.play.
 * @throws {VmError} the program fails
 */
export function runReference(machine: Machine, frame: CallFrame): void {
  const instructions = instructionSets.of(machine.rules);
  const { isEnabled, pops, pushes } = instructions;
  const run = new ReferenceRun(machine, frame, instructions);
  const { code } = frame;
  const { time } = machine;
  let steps = 0;
  while (!run.isStopped) {
    const opcode = code[run.pc] ?? 0;
    run.opcode = opcode;
    machine.hooks?.step?.(run, run.pc, opcode);
    if (isEnabled[opcode] === 0) throw invalidOpcode(opcode);
    const size = run.stack.length;
    if (size < pops[opcode]!) throw stackTooSmall(pops[opcode]!, size);
    if (size - pops[opcode]! + pushes[opcode]! > STACK_MAX) throw stackTooLarge();
    pay(run, instructions, opcode);
    machine.hooks?.paid?.(run);
    if (time !== undefined && (steps++ & 0xff) === 0 && time.isOver()) throw outOfTime(run.name);
    step(run, opcode);
    if (run.pc >= code.length) run.isStopped = true;
  }
  frame.lastOpcode = run.opcode;
}

function step(run: ReferenceRun, opcode: number): void {
  const { flow, run: runs, pops } = run.instructions;
  const kind = flow[opcode];
  if (kind === undefined) runs[opcode]!(run);
  else flows[kind](run, pops[opcode]!);
  run.pc += 1 + wordBytesBehind(opcode);
}

/** Operations that change `pc`. A jump sets `pc` to one byte before its target, because `step` then adds 1. */
const flows: Readonly<Record<Flow, (run: ReferenceRun, pops: number) => void>> = {
  destination: () => {},
  duplicate: (run, pops) => run.push(run.peek(pops - 1)),
  swap: (run, pops) => swap(run.stack, pops - 1),
  jump: (run) => jump(run, run.pop()),
  jumpIf(run) {
    const target = run.pop();
    if (run.pop() !== 0n) jump(run, target);
  },
};

function jump(run: ReferenceRun, word: bigint): void {
  if (word > 0xffffffffn) throw badJump(-1);
  const target = Number(BigInt.asIntN(32, word));
  if (jumpDestinations(run.frame.code)[target] !== 1) throw badJump(target);
  run.pc = target - 1;
}

function swap(stack: bigint[], below: number): void {
  const top = stack.length - 1;
  const word = stack[top]!;
  stack[top] = stack[top - below]!;
  stack[top - below] = word;
}

const memories: PlainMemory[] = [];

interface PlainInterpreter extends Interpreter {
  /**
   * Returns empty memory for a call. It starts after the memory of the calls with a smaller depth.
   * @param depth depth of the call
   * @param outermost depth of the first call that the plain interpreter runs; default 0
   */
  memory(depth: number, outermost?: number): PlainMemory;
}

/** The plain interpreter. It reuses one memory object per call depth, because only one program runs at a time. */
export const referenceInterpreter: PlainInterpreter = {
  memory(depth, outermost = 0) {
    // In the first versions of CREATE2, java-tron did not check the call depth, so the depth can exceed 64.
    while (memories.length <= depth) memories.push(new PlainMemory());
    const memory = memories[depth]!;
    memory.reset(depth === outermost ? 0 : memories[depth - 1]!.end);
    return memory;
  },
  run: runReference,
};
