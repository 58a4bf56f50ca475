import { penaltyOf } from '../machine/penalty.js';
import type { InstructionSet } from '../opcodes/instruction-set.js';
import type { Engine } from './wasm/engine.js';
import { INSTRUCTION, LAYOUT, SEGMENT_BYTES } from './wasm/layout.js';

const STACK_WORDS = 1024;
const STOP = 0x00;
/** From here on opcodes call, stake, or end. */
const TRON_FIRST = 0xd0;
const GAS = 0x5a;
const JUMP = 0x56;
const JUMPI = 0x57;
const JUMPDEST = 0x5b;
const PC = 0x58;
/** Always costs the same, but fails in a static call: the only such one below those of TRON. */
const TSTORE = 0x5d;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** A contract's code as the engine runs it: addresses in the engine's memory. */
export interface PreparedCode {
  readonly entry: number;
  /** For each byte of the code the address of its instruction where it is a destination, 0 elsewhere; 32 bits each. */
  readonly jumps: number;
  readonly segments: number;
  /**
   * Segments priced for hot contracts, by price of energy. Several stand side by side: code runs for another contract, whose
   * price is another, in the middle of a run for its own.
   */
  readonly hotSegments: Map<number, number>;
  /** First byte of the code of each segment: where to look when one fails. */
  readonly segmentStarts: Int32Array;
}

/** A run of operations whose prices are known beforehand, up to the next that is not, or that changes the way. */
interface Segment {
  readonly start: number;
  cost: number;
  /** Words that it needs on the stack, and the most that it adds to them. */
  need: number;
  growth: number;
  height: number;
  /** Prices of its operations, for penalties are rounded one by one. */
  readonly costs: number[];
}

/** Turns code into instructions, once per code and instruction set: what it is made from is what it is found by. */
export class CodePreparer {
  private readonly engine: Engine;
  private next: number = LAYOUT.code;
  private known = new Map<InstructionSet, WeakMap<Uint8Array, PreparedCode>>();

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** Undefined when there is no room for more: the caller starts anew between transactions, or runs it another way. */
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

  /** Share of the room that is taken, from 0 to 1. */
  get fill(): number {
    return (this.next - LAYOUT.code) / LAYOUT.codeBytes;
  }

  /** Forgets all prepared code. Only between transactions. */
  clear(): void {
    this.known = new Map();
    this.next = LAYOUT.code;
  }

  /**
   * Segments with the penalty of a hot contract; undefined when there is no room for them.
   * @param factor price of energy in 1/10000
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
    for (const [i, segment] of segmentsOf(code, instructions).entries()) {
      const total = segment.costs.reduce((sum, cost) => sum + cost + penaltyOf(cost, factor), 0);
      this.writeSegment(rows + i * SEGMENT_BYTES, segment, total);
    }
    this.next = align(rows + size);
    prepared.hotSegments.set(factor, rows);
    return rows;
  }

  private write(code: Uint8Array, instructions: InstructionSet): PreparedCode | undefined {
    const segments = segmentsOf(code, instructions);
    // Two instructions a byte at most, a word for wide pushes, a table of destinations, a row for each segment.
    const most = code.length * (16 + 32 + 4) + (segments.length + 4) * SEGMENT_BYTES + 64;
    if (this.next + most > LAYOUT.code + LAYOUT.codeBytes) return undefined;
    const { ints } = this.engine;
    const jumps = this.next;
    ints.fill(0, jumps >> 2, (jumps >> 2) + code.length);
    const segmentRows = align(jumps + 4 * code.length);
    for (const [i, segment] of segments.entries()) {
      this.writeSegment(segmentRows + i * SEGMENT_BYTES, segment, segment.cost);
    }
    const words = align(segmentRows + segments.length * SEGMENT_BYTES);
    const entry = this.writeInstructions(code, instructions, { segments, jumps, words });
    return {
      entry,
      jumps,
      segments: segmentRows,
      hotSegments: new Map(),
      segmentStarts: Int32Array.from(segments, ({ start }) => start),
    };
  }

  private writeInstructions(
    code: Uint8Array,
    { isEnabled, dynamic }: InstructionSet,
    { segments, jumps, words }: { segments: readonly Segment[]; jumps: number; words: number },
  ): number {
    const { ints } = this.engine;
    const wide = widePushes(code);
    let nextWord = words;
    const entry = words + wide * 32;
    let at = entry >> 2;
    const patches: number[] = [];
    let segment = 0;
    const emit = (instruction: number, operand: number) => {
      ints[at] = instruction;
      ints[at + 1] = operand;
      at += 2;
    };
    for (let pc = 0; pc < code.length; pc++) {
      const opcode = code[pc]!;
      if (segments[segment]?.start === pc) {
        if (opcode === JUMPDEST) ints[(jumps >> 2) + pc] = at * 4;
        emit(INSTRUCTION.segment, segment * SEGMENT_BYTES);
        segment++;
      }
      if (isEnabled[opcode] === 0) emit(INSTRUCTION.invalid, pc);
      else if (opcode >= PUSH1 && opcode <= PUSH32) {
        const size = opcode - PUSH1 + 1;
        const value = pushed(code, pc, size);
        const after = code[pc + size + 1];
        const target = value < BigInt(code.length) ? Number(value) : -1;
        if ((after === JUMP || after === JUMPI) && isDestination(code, target)) {
          patches.push(at, target);
          emit(after === JUMP ? INSTRUCTION.jumpTo : INSTRUCTION.jumpToIf, 0);
          pc++;
        } else if (value <= 0xffffffffn) emit(INSTRUCTION.pushSmall, Number(BigInt.asIntN(32, value)));
        else {
          for (let i = 0; i < 8; i++) {
            ints[(nextWord >> 2) + i] = Number(BigInt.asIntN(32, value >> BigInt(32 * i)));
          }
          emit(INSTRUCTION.pushWord, nextWord);
          nextWord += 32;
        }
        pc += size;
      } else if (opcode === 0x5f) emit(INSTRUCTION.pushSmall, 0);
      else if (opcode === PC) emit(INSTRUCTION.pushSmall, pc);
      else if (opcode >= 0x80 && opcode <= 0x8f) emit(0x80, (opcode - 0x7f) * 32);
      else if (opcode >= 0x90 && opcode <= 0x9f) emit(0x90, (opcode - 0x8e) * 32);
      else if (opcode === 0x44 || opcode === 0x45) emit(INSTRUCTION.pushSmall, 0);
      else if (opcode === 0x38) emit(INSTRUCTION.pushSmall, code.length);
      else if (opcode !== JUMPDEST) emit(opcode, dynamic[opcode]?.base ?? pc);
    }
    emit(STOP, code.length);
    for (let i = 0; i < patches.length; i += 2) {
      ints[patches[i]! + 1] = ints[(jumps >> 2) + patches[i + 1]!]!;
    }
    this.next = align(at * 4);
    return entry;
  }

  private writeSegment(at: number, { cost, need, growth }: Segment, total: number): void {
    const row = at >> 2;
    const { ints } = this.engine;
    ints[row] = total;
    ints[row + 1] = cost;
    ints[row + 2] = need * 32;
    ints[row + 3] = (STACK_WORDS - growth) * 32;
  }
}

function align(address: number): number {
  return (address + 31) & ~31;
}

function widePushes(code: Uint8Array): number {
  let count = 0;
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc]!;
    if (opcode < PUSH1 || opcode > PUSH32) continue;
    if (opcode >= PUSH1 + 4) count++;
    pc += opcode - PUSH1 + 1;
  }
  return count;
}

function pushed(code: Uint8Array, pc: number, size: number): bigint {
  const bytes = Buffer.alloc(size);
  bytes.set(code.subarray(pc + 1, pc + 1 + size));
  return size <= 6 ? BigInt(bytes.readUIntBE(0, size)) : BigInt(`0x${bytes.toString('hex')}`);
}

const destinationsOf = new WeakMap<Uint8Array, Uint8Array>();

function isDestination(code: Uint8Array, target: number): boolean {
  if (target < 0) return false;
  let destinations = destinationsOf.get(code);
  if (destinations === undefined) {
    destinations = new Uint8Array(code.length);
    for (let pc = 0; pc < code.length; pc++) {
      const opcode = code[pc]!;
      if (opcode === JUMPDEST) destinations[pc] = 1;
      if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
    }
    destinationsOf.set(code, destinations);
  }
  return destinations[target] === 1;
}

/** Cuts code into segments. An operation with a price of its own ends one, its demands on the stack included. */
function segmentsOf(code: Uint8Array, { isEnabled, pops, pushes, energy }: InstructionSet): Segment[] {
  const segments: Segment[] = [];
  let open: Segment | undefined;
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc]!;
    if (opcode === JUMPDEST) open = undefined;
    if (open === undefined) {
      open = { start: pc, cost: 0, need: 0, growth: 0, height: 0, costs: [] };
      segments.push(open);
    }
    if (isEnabled[opcode] === 0) {
      open = undefined;
      continue;
    }
    open.need = Math.max(open.need, pops[opcode]! - open.height);
    open.height += pushes[opcode]! - pops[opcode]!;
    open.growth = Math.max(open.growth, open.height);
    const cost = energy[opcode]!;
    if (cost >= 0) {
      open.cost += cost;
      open.costs.push(cost);
    }
    if (cost < 0 || endsSegment(opcode)) open = undefined;
    if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
  return segments;
}

const ENDS: ReadonlySet<number> = new Set([STOP, JUMP, JUMPI, GAS, TSTORE]);

/** Operations behind which the energy left shows, that may end the run, or that change the way. */
function endsSegment(opcode: number): boolean {
  return ENDS.has(opcode) || opcode >= TRON_FIRST;
}
