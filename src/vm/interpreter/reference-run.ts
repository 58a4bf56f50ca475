// biome-ignore-all lint/style/noNonNullAssertion: the stack height is checked before an operation runs; entry numbers of slots come from the storage cache
import { fromHex } from '../../primitives/bytes.js';
import type { CallFrame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { readWord, wordBytes } from '../machine/slot-table.js';
import { PRESENT } from '../machine/storage-cache.js';
import type { InstructionSet } from '../opcodes/instruction-sets.js';
import type { OpRun } from '../opcodes/op-run.js';

const MASK = (1n << 256n) - 1n;

/** State of one run of the plain interpreter, with a stack of bigints. */
export class ReferenceRun implements OpRun {
  readonly machine: Machine;
  readonly frame: CallFrame;
  readonly instructions: InstructionSet;
  readonly stack: bigint[] = [];
  pc = 0;
  opcode = 0;
  isStopped = false;
  /** Energy that the called program gets. Set by the price function of a call operation. */
  callEnergy = 0;
  /** Dynamic energy penalty in the price of a call. Set by the price function of a call operation. */
  callPenalty = 0;

  constructor(machine: Machine, frame: CallFrame, instructions: InstructionSet) {
    this.machine = machine;
    this.frame = frame;
    this.instructions = instructions;
  }

  get name(): string {
    return this.instructions.names[this.opcode] ?? '';
  }

  /** Returns the word `depth` positions below the top of the stack. */
  peek(depth: number): bigint {
    return this.stack[this.stack.length - 1 - depth]!;
  }

  pop(): bigint {
    return this.stack.pop()!;
  }

  popBytes(): Uint8Array {
    return fromHex(this.pop().toString(16).padStart(64, '0'));
  }

  push(word: bigint): void {
    this.stack.push(word & MASK);
  }

  pushBoolean(value: boolean): void {
    this.stack.push(value ? 1n : 0n);
  }

  /**
   * Pops a word and returns it as a non-negative int. A word above 2^31 − 1 becomes 2^31 − 1. Reference:
   * DataWord.intValueSafe.
   */
  popInt(): number {
    const word = this.pop();
    return word > 0x7fffffffn ? 0x7fffffff : Number(word);
  }

  popInt32(): number {
    return Number(BigInt.asIntN(32, this.pop()));
  }

  load(slot: bigint): bigint {
    const entry = this.find(slot);
    const { storage } = this.machine;
    return entry < 0 ? 0n : BigInt(`0x${Buffer.from(wordBytes(storage.values, entry * 8)).toString('hex')}`);
  }

  /** Returns true if the storage slot has a row, even if the value in the row is zero. */
  isStored(slot: bigint): boolean {
    const entry = this.find(slot);
    return entry >= 0 && (this.machine.storage.flags[entry]! & PRESENT) !== 0;
  }

  store(slot: bigint, value: bigint): void {
    const { machine, frame } = this;
    const words = new Int32Array(16);
    setWord(words, 0, slot);
    setWord(words, 8, value);
    machine.storage.store(machine.storageOwner(frame), words, 0, 8);
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
