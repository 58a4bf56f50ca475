// biome-ignore-all lint/style/noNonNullAssertion: this file, `CodePreparer` and the generated loop keep all indexes in bounds; a check at each access would slow down the hot path
import { EMPTY_BYTES } from '../../primitives/bytes.js';
import {
  badJump,
  invalidOpcode,
  outOfTime,
  STACK_MAX,
  stackTooLarge,
  stackTooSmall,
} from '../../state-transition/vm-error.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { penaltyOf } from '../machine/penalty.js';
import { readWord, wordBytes } from '../machine/slot-table.js';
import { PRESENT } from '../machine/storage-cache.js';
import type { TimeLimit } from '../machine/time-limit.js';
import { wordBytesBehind } from '../opcodes/code-layout.js';
import { pay, spendEnergy, storeEnergy } from '../opcodes/energy.js';
import type { InstructionSet } from '../opcodes/instruction-sets.js';
import type { OpRun } from '../opcodes/op-run.js';
import type { PreparedCode } from './code-preparer.js';
import type { LinearMemory } from './linear-memory.js';
import type { Engine, StorageHost } from './wasm/engine.js';
import { FAILED_SEGMENT, INSTRUCTION, LAYOUT, PAID, REGISTER, STACK_BYTES } from './wasm/layout.js';

/** Energy after which the loop returns to JavaScript, which checks the time limit. This amount is called a slice. */
const SLICE = 5_000_000;
/**
 * Number of operations that JavaScript executes between two checks of the time limit. Each such operation starts a
 * new energy slice, so a program with many of them would never use up a slice.
 */
const OPERATIONS_PER_CHECK = 256;
/**
 * Prepared code, and the segment table with the energy prices for the contract that runs. A segment is a group of
 * operations whose energy is charged together (see `segments.ts`).
 */
export interface Program {
  readonly instructions: InstructionSet;
  readonly prepared: PreparedCode;
  readonly segments: number;
}

/** One run of a program in the engine. */
export class WasmRun implements OpRun, StorageHost {
  readonly machine: Machine;
  readonly frame: CallFrame;
  readonly instructions: InstructionSet;
  /**
   * Always 0. Only PUSH, PC and jumps use the program counter, and the WebAssembly loop executes these operations
   * itself.
   */
  readonly pc = 0;
  isStopped = false;
  callEnergy = 0;
  callPenalty = 0;
  private readonly engine: Engine;
  private readonly prepared: PreparedCode;
  private readonly memory: LinearMemory;
  private readonly segments: number;
  private readonly stackBase: number;
  private readonly time: TimeLimit | undefined;
  /** Call value of the frame as a number for the loop; −1 if it is above 2^53 − 1. */
  private readonly callValue: number;
  private opcode = 0;
  private ip: number;
  private sp: number;

  constructor(engine: Engine, machine: Machine, frame: CallFrame, { instructions, prepared, segments }: Program) {
    this.engine = engine;
    this.machine = machine;
    this.frame = frame;
    this.instructions = instructions;
    this.prepared = prepared;
    this.segments = segments;
    this.memory = frame.memory as LinearMemory;
    this.memory.storeCallData(frame.data);
    this.stackBase = LAYOUT.stack + frame.depth * STACK_BYTES;
    this.time = machine.time;
    this.callValue = frame.callValue <= Number.MAX_SAFE_INTEGER ? Number(frame.callValue) : -1;
    this.ip = prepared.entry;
    this.sp = this.stackBase;
  }

  run(): void {
    while (!this.isStopped) {
      const status = this.enter();
      if (status === FAILED_SEGMENT) {
        if (this.time !== undefined && this.hasMoreTime(this.time)) continue;
        this.explain();
      }
      this.operate(status);
    }
    this.frame.lastOpcode = this.opcode;
  }

  /**
   * Runs the loop until an operation needs JavaScript or a segment cannot start. @returns the loop's status, see
   * `REGISTER.status`
   */
  private enter(): number {
    const { engine, frame, memory } = this;
    const { ints, doubles } = engine;
    const r = LAYOUT.registers >> 2;
    const d = LAYOUT.registers >> 3;
    engine.host = this;
    ints[r + REGISTER.ip / 4] = this.ip;
    ints[r + REGISTER.sp / 4] = this.sp;
    ints[r + REGISTER.stackBase / 4] = this.stackBase;
    ints[r + REGISTER.memoryBase / 4] = memory.base;
    ints[r + REGISTER.memorySize / 4] = memory.size;
    ints[r + REGISTER.memoryCapacity / 4] = memory.capacity;
    ints[r + REGISTER.dataBase / 4] = memory.dataBase;
    ints[r + REGISTER.dataLength / 4] = frame.data.length;
    ints[r + REGISTER.jumpBase / 4] = this.prepared.jumps;
    ints[r + REGISTER.codeLength / 4] = frame.code.length;
    ints[r + REGISTER.segmentBase / 4] = this.segments;
    ints[r + REGISTER.isStatic / 4] = frame.isStatic ? 1 : 0;
    ints[r + REGISTER.factor / 4] = frame.factor;
    ints[r + REGISTER.returnSize / 4] = frame.returnBuffer.length;
    ints[r + REGISTER.codeBase / 4] = this.prepared.code;
    const left = frame.energyLeft;
    const slice = this.time === undefined ? left : Math.min(left, SLICE);
    doubles[d + REGISTER.left / 8] = slice;
    doubles[d + REGISTER.usage / 8] = frame.usage;
    doubles[d + REGISTER.penalty / 8] = frame.penalty;
    doubles[d + REGISTER.reserve / 8] = left - slice;
    doubles[d + REGISTER.callValue / 8] = this.callValue;
    engine.run();
    // The typed arrays are still valid, because a storage access from the loop never grows the linear memory.
    this.ip = ints[r + REGISTER.ip / 4]!;
    this.sp = ints[r + REGISTER.sp / 4]!;
    memory.size = ints[r + REGISTER.memorySize / 4]!;
    frame.energyUsed = frame.energyLimit - (doubles[d + REGISTER.left / 8]! + left - slice);
    frame.usage = doubles[d + REGISTER.usage / 8]!;
    frame.penalty = doubles[d + REGISTER.penalty / 8]!;
    return ints[r + REGISTER.status / 4]!;
  }

  /**
   * Executes one operation in JavaScript. Charges its price, unless the segment included the price or the status
   * contains `PAID`.
   * @throws {VmError} the operation fails
   */
  private operate(status: number): void {
    const opcode = status & 0xff;
    this.opcode = opcode;
    if (opcode === INSTRUCTION.stop) {
      this.frame.returnData = EMPTY_BYTES;
      this.isStopped = true;
      return;
    }
    const { time } = this;
    if (time !== undefined && ++time.operationCount % OPERATIONS_PER_CHECK === 0) this.checkTime(time, opcode);
    if (opcode === INSTRUCTION.invalid) throw invalidOpcode(this.frame.code[this.codePosition()]!);
    const { energy, flow, run } = this.instructions;
    // The WebAssembly loop executes valid jumps itself. It returns here only for a jump with an invalid target.
    if (flow[opcode] !== undefined) throw this.badTarget();
    if (energy[opcode]! < 0 && (status & PAID) === 0) pay(this, this.instructions, opcode);
    run[opcode]!(this);
  }

  private badTarget(): Error {
    const word = this.peek(0);
    return badJump(word > 0xffffffffn ? -1 : Number(BigInt.asIntN(32, word)));
  }

  /**
   * Returns true if the loop stopped only because the energy slice is used up; the program can then continue. Returns
   * false if the energy or the stack height of the call does not allow the segment.
   * @throws {VmError} OUT_OF_TIME: the time limit is exceeded
   */
  private hasMoreTime(time: TimeLimit): boolean {
    const { frame, engine } = this;
    const row = this.segments + engine.ints[(LAYOUT.registers + REGISTER.operand) >> 2]!;
    const height = this.sp - this.stackBase;
    const { ints } = engine;
    const fits = height >= ints[(row >> 2) + 2]! && height <= ints[(row >> 2) + 3]!;
    if (!fits || frame.energyLeft < ints[row >> 2]!) return false;
    this.checkTime(time, frame.code[this.segmentStart()]!);
    this.ip -= 8;
    return true;
  }

  /** Ends the program if the time limit is exceeded. @throws {VmError} OUT_OF_TIME */
  private checkTime(time: TimeLimit, opcode: number): void {
    if (time.isOver()) throw outOfTime(this.instructions.names[opcode] ?? 'STOP');
  }

  private segmentStart(): number {
    const index = this.engine.ints[(LAYOUT.registers + REGISTER.operand) >> 2]! / 16;
    return this.prepared.segmentStarts[index]!;
  }

  /**
   * Throws the error of a segment that cannot start. To find the operation that fails, charges the operations of the
   * segment one by one.
   * @throws {VmError} always
   */
  private explain(): never {
    const { frame } = this;
    const { isEnabled, names, pops, pushes, energy } = this.instructions;
    let height = (this.sp - this.stackBase) / 32;
    for (let pc = this.segmentStart(); ; pc++) {
      const opcode = frame.code[pc] ?? 0;
      if (isEnabled[opcode] === 0) throw invalidOpcode(opcode);
      if (height < pops[opcode]!) throw stackTooSmall(pops[opcode]!, height);
      height += pushes[opcode]! - pops[opcode]!;
      if (height > STACK_MAX) throw stackTooLarge();
      const cost = energy[opcode]!;
      const penalty = penaltyOf(cost, frame.factor);
      spendEnergy(frame, names[opcode]!, cost + penalty, penalty);
      pc += wordBytesBehind(opcode);
    }
  }

  get name(): string {
    return this.instructions.names[this.opcode] ?? '';
  }

  private codePosition(): number {
    return this.engine.ints[(LAYOUT.registers + REGISTER.operand) >> 2]!;
  }

  peek(depth: number): bigint {
    return this.wordAt(this.sp - 32 * (depth + 1));
  }

  pop(): bigint {
    this.sp -= 32;
    return this.wordAt(this.sp);
  }

  popBytes(): Uint8Array {
    this.sp -= 32;
    return wordBytes(this.engine.ints, this.sp >> 2);
  }

  push(word: bigint): void {
    const { longs } = this.engine;
    const at = this.sp >> 3;
    longs[at] = word;
    longs[at + 1] = word >> 64n;
    longs[at + 2] = word >> 128n;
    longs[at + 3] = word >> 192n;
    this.sp += 32;
  }

  pushBoolean(value: boolean): void {
    this.push(value ? 1n : 0n);
  }

  popInt(): number {
    this.sp -= 32;
    const { ints } = this.engine;
    const at = this.sp >> 2;
    const isWide =
      (ints[at + 1]! |
        ints[at + 2]! |
        ints[at + 3]! |
        ints[at + 4]! |
        ints[at + 5]! |
        ints[at + 6]! |
        ints[at + 7]!) !==
      0;
    return isWide || ints[at]! < 0 ? 0x7fffffff : ints[at]!;
  }

  popInt32(): number {
    this.sp -= 32;
    return this.engine.ints[this.sp >> 2]!;
  }

  private wordAt(address: number): bigint {
    const { longs, ints } = this.engine;
    const i = address >> 2;
    const high = ints[i + 2]! | ints[i + 3]! | ints[i + 4]! | ints[i + 5]! | ints[i + 6]! | ints[i + 7]!;
    const at = address >> 3;
    if (high === 0) return longs[at]!;
    return longs[at]! | (longs[at + 1]! << 64n) | (longs[at + 2]! << 128n) | (longs[at + 3]! << 192n);
  }

  loadAt(at: number): void {
    const { machine, engine } = this;
    const { ints } = engine;
    const i = at >> 2;
    const entry = machine.storage.find(machine.storageOwner(this.frame), ints, i);
    if (entry < 0) {
      ints.fill(0, i, i + 8);
      return;
    }
    const { values } = machine.storage;
    for (let k = 0; k < 8; k++) ints[i + k] = values[entry * 8 + k]!;
  }

  storeCostAt(at: number): number {
    const { machine, engine } = this;
    const { ints } = engine;
    const v = (at - 32) >> 2;
    const entry = machine.storage.find(machine.storageOwner(this.frame), ints, at >> 2);
    const isPresent = entry >= 0 && (machine.storage.flags[entry]! & PRESENT) !== 0;
    let bits = 0;
    for (let k = 0; k < 8; k++) bits |= ints[v + k]!;
    return storeEnergy(isPresent, bits === 0);
  }

  storeAt(at: number): void {
    const { machine, engine } = this;
    machine.storage.store(machine.storageOwner(this.frame), engine.ints, at >> 2, (at - 32) >> 2);
  }

  store(slot: bigint, value: bigint): void {
    const { machine, frame } = this;
    const words = new Int32Array(16);
    setWord(words, 0, slot);
    setWord(words, 8, value);
    machine.storage.store(machine.storageOwner(frame), words, 0, 8);
  }

  isStored(slot: bigint): boolean {
    const { storage } = this.machine;
    const entry = this.find(slot);
    return entry >= 0 && (storage.flags[entry]! & PRESENT) !== 0;
  }

  load(slot: bigint): bigint {
    const entry = this.find(slot);
    if (entry < 0) return 0n;
    const { values } = this.machine.storage;
    let word = 0n;
    for (let k = 7; k >= 0; k--) word = (word << 32n) | BigInt(values[entry * 8 + k]! >>> 0);
    return word;
  }

  private find(slot: bigint): number {
    const { machine, frame } = this;
    const words = new Int32Array(8);
    setWord(words, 0, slot);
    return machine.storage.find(machine.storageOwner(frame), words, 0);
  }
}

function setWord(words: Int32Array, at: number, value: bigint): void {
  readWord(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'), words, at);
}
