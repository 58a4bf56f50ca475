import { itemAt } from '../../primitives/assert.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { STACK_MAX } from '../../state-transition/vm-error.js';
import { penaltyOf } from '../machine/penalty.js';
import { jumpDestinations, wordBytesBehind } from '../opcodes/code-layout.js';
import type { InstructionSet } from '../opcodes/instruction-sets.js';
import { type Segment, segmentsOf } from './segments.js';
import type { Engine } from './wasm/engine.js';
import { INSTRUCTION, LAYOUT, SEGMENT_BYTES } from './wasm/layout.js';
import { opcodesInLoop } from './wasm/loop.js';

/** Largest word that fits into the 32-bit operand of an instruction. */
const SMALL_MAX = 0xffffffffn;
/**
 * Opcodes after which a segment (see `segments.ts`) may continue if their price is fixed. All of them are opcodes of
 * the WebAssembly loop. An operation that JavaScript executes always ends its segment, because it can fail after the
 * energy of the whole segment is charged.
 */
const WITHIN: ReadonlySet<number> = new Set(
  opcodesInLoop().flatMap(({ opcode, endsSegment }) => (endsSegment ? [] : [opcode])),
);

/**
 * A contract's code in the form that the WebAssembly loop executes. Each field of type number is an address in the
 * linear memory.
 */
export interface PreparedCode {
  readonly entry: number;
  /** Address of a copy of the bytecode, for CODECOPY. */
  readonly code: number;
  /**
   * Address of a table with one 32-bit entry per code byte. The entry of a jump destination is the address of its
   * instruction. All other entries are 0.
   */
  readonly jumps: number;
  readonly segments: number;
  /**
   * Addresses of segment tables whose prices include the dynamic energy penalty, by energy factor. One code can need
   * several tables, because contracts with the same code can have different energy factors.
   */
  readonly hotSegments: Map<number, number>;
  /** Code offset of the first byte of each segment. Used to find the operation that failed. */
  readonly segmentStarts: Int32Array;
}

/** Compiles bytecode to instructions of the WebAssembly loop. Caches the result by code and instruction set. */
export class CodePreparer {
  private readonly engine: Engine;
  private next: number = LAYOUT.code;
  private known = new Map<InstructionSet, WeakMap<Uint8Array, PreparedCode>>();

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /**
   * Returns the instructions of `code`, or undefined if the code area is full. In this case, the caller runs the code
   * in the plain interpreter.
   * @param isCached true to cache the instructions for later runs
   */
  prepare(code: Uint8Array, instructions: InstructionSet, isCached: boolean): PreparedCode | undefined {
    let byCode = this.known.get(instructions);
    if (byCode === undefined) {
      byCode = new WeakMap();
      this.known.set(instructions, byCode);
    }
    const known = byCode.get(code);
    if (known !== undefined) return known;
    const prepared = this.write(code, instructions);
    if (prepared !== undefined && isCached) byCode.set(code, prepared);
    return prepared;
  }

  /** Share of the code area that is in use, from 0 to 1. */
  get fill(): number {
    return (this.next - LAYOUT.code) / LAYOUT.codeBytes;
  }

  /** Deletes all prepared code. Must not be called during a transaction. */
  clear(): void {
    this.known = new Map();
    this.next = LAYOUT.code;
  }

  /**
   * Returns the address of the segment table whose prices include the dynamic energy penalty for `factor`. Undefined if
   * the code area is full.
   * @param factor energy factor of the contract in units of 1/10000
   */
  hotSegments(
    code: Uint8Array,
    instructions: InstructionSet,
    prepared: PreparedCode,
    factor: number,
  ): number | undefined {
    const known = prepared.hotSegments.get(factor);
    if (known !== undefined) return known;
    const rows = this.next;
    const size = prepared.segmentStarts.length * SEGMENT_BYTES;
    if (rows + size > LAYOUT.code + LAYOUT.codeBytes) return undefined;
    for (const [i, segment] of segmentsIn(code, instructions).entries()) {
      const total = sum(segment.costs.map((cost) => cost + penaltyOf(cost, factor)));
      this.writeSegment(rows + i * SEGMENT_BYTES, segment, total);
    }
    this.next = align(rows + size);
    prepared.hotSegments.set(factor, rows);
    return rows;
  }

  private write(code: Uint8Array, instructions: InstructionSet): PreparedCode | undefined {
    // Upper bound of the needed space per code byte: two instructions, a 32-byte word for a wide push, an entry of
    // the jump table, and a copy of the byte. The space for the segment table is added after the segments are known.
    const most = code.length * (16 + 32 + 4 + 1) + 4 * SEGMENT_BYTES + 64;
    const end = LAYOUT.code + LAYOUT.codeBytes;
    // Checked before the segments are computed, because this takes time: a program can call a contract with long code
    // in a loop.
    if (this.next + most > end) return undefined;
    const segments = segmentsIn(code, instructions);
    if (this.next + most + segments.length * SEGMENT_BYTES > end) return undefined;
    const { ints, bytes } = this.engine;
    const jumps = this.next;
    ints.fill(0, jumps >> 2, (jumps >> 2) + code.length);
    const copy = jumps + 4 * code.length;
    bytes.set(code, copy);
    const rows = align(copy + code.length);
    for (const [i, segment] of segments.entries()) {
      this.writeSegment(rows + i * SEGMENT_BYTES, segment, sum(segment.costs));
    }
    const entry = align(rows + segments.length * SEGMENT_BYTES);
    this.next = this.writeInstructions(code, instructions, { entry, segments, jumps });
    const segmentStarts = Int32Array.from(segments, ({ start }) => start);
    return { entry, code: copy, jumps, segments: rows, hotSegments: new Map(), segmentStarts };
  }

  /** Writes the instructions of the code. @returns the first free address after them */
  private writeInstructions(
    code: Uint8Array,
    { isEnabled, dynamic, constant, flow, pops }: InstructionSet,
    { entry, segments, jumps }: { entry: number; segments: readonly Segment[]; jumps: number },
  ): number {
    const { ints } = this.engine;
    const destinations = jumpDestinations(code);
    const words: { readonly at: number; readonly value: bigint }[] = [];
    const targets: { readonly at: number; readonly pc: number }[] = [];
    let at = entry >> 2;
    let segment = 0;
    const emit = (instruction: number, operand: number) => {
      ints[at] = instruction;
      ints[at + 1] = operand;
      at += 2;
    };
    for (let pc = 0; pc < code.length; pc++) {
      const opcode = itemAt(code, pc);
      if (segments[segment]?.start === pc) {
        if (flow[opcode] === 'destination') ints[(jumps >> 2) + pc] = at * 4;
        emit(INSTRUCTION.segment, segment * SEGMENT_BYTES);
        segment++;
      }
      if (isEnabled[opcode] === 0) emit(INSTRUCTION.invalid, pc);
      else if (constant[opcode] !== undefined) {
        const value = constant[opcode].word(code, pc);
        pc += wordBytesBehind(opcode);
        const next = flow[code[pc + 1] ?? INSTRUCTION.stop];
        if ((next === 'jump' || next === 'jumpIf') && value <= SMALL_MAX && destinations[Number(value)] === 1) {
          targets.push({ at, pc: Number(value) });
          emit(next === 'jump' ? INSTRUCTION.jumpTo : INSTRUCTION.jumpToIf, 0);
          pc++;
        } else if (value <= SMALL_MAX) emit(INSTRUCTION.pushSmall, Number(BigInt.asIntN(32, value)));
        else {
          words.push({ at, value });
          emit(INSTRUCTION.pushWord, 0);
        }
      } else if (flow[opcode] === 'duplicate') emit(INSTRUCTION.duplicate, itemAt(pops, opcode) * WORD_BYTES);
      else if (flow[opcode] === 'swap') emit(INSTRUCTION.swap, itemAt(pops, opcode) * WORD_BYTES);
      else if (flow[opcode] !== 'destination') emit(opcode, dynamic[opcode]?.base ?? pc);
    }
    emit(INSTRUCTION.stop, code.length);
    for (const target of targets) ints[target.at + 1] = itemAt(ints, (jumps >> 2) + target.pc);
    let end = align(at * 4);
    for (const word of words) {
      for (let i = 0; i < 8; i++) ints[(end >> 2) + i] = Number(BigInt.asIntN(32, word.value >> BigInt(32 * i)));
      ints[word.at + 1] = end;
      end += WORD_BYTES;
    }
    return end;
  }

  private writeSegment(at: number, { costs, need, growth }: Segment, total: number): void {
    const row = at >> 2;
    const { ints } = this.engine;
    ints[row] = total;
    ints[row + 1] = sum(costs);
    ints[row + 2] = need * WORD_BYTES;
    ints[row + 3] = (STACK_MAX - growth) * WORD_BYTES;
  }
}

function align(address: number): number {
  return (address + 31) & ~31;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function segmentsIn(code: Uint8Array, instructions: InstructionSet): Segment[] {
  const { constant, flow } = instructions;
  return segmentsOf(code, instructions, (opcode) => {
    const kind = flow[opcode];
    const isWord = constant[opcode] !== undefined || kind === 'duplicate' || kind === 'swap';
    return isWord || kind === 'destination' || WITHIN.has(opcode);
  });
}
