import { fromHex, toHex } from '../../../src/primitives/bytes.js';
import { randomBytes, randomCall } from './precompile-input.js';
import type { Seeded } from './random-program.js';

const EDGES = [
  ...['00', '01', '02', '03', '1f', '20', '21', '7f', '80', 'ff', '0100', '0101', 'ffff', '7fffffff', '80000000'],
  ...['ffffffff', '0100000000', '7fffffffffffffff', '8000000000000000', 'ffffffffffffffff', '010000000000000000'],
  ...['ff'.repeat(16), `01${'00'.repeat(16)}`, `7f${'ff'.repeat(31)}`, `80${'00'.repeat(31)}`, 'ff'.repeat(32)],
  ...[`${'ff'.repeat(31)}fe`, `80${'00'.repeat(30)}01`, 'ff'.repeat(31)],
];
/** Offsets and lengths above the memory limit of both virtual machines (TVM and EVM). */
const HUGE = [
  '7fffffff',
  '80000000',
  'ffffffff',
  '0100000000',
  'ffffffffffffffff',
  '010000000000000000',
  'ff'.repeat(32),
];
const UNARY = [0x15, 0x19, 0x1e];
const BINARY = [1, 2, 3, 4, 5, 6, 7, 10, 11, 16, 17, 18, 19, 20, 22, 23, 24, 26, 27, 28, 29];
const TERNARY = [0x08, 0x09];
/** Opcodes without operands: CALLDATASIZE, CODESIZE, RETURNDATASIZE, PC, MSIZE, PUSH0. */
const NULLARY = [0x36, 0x38, 0x3d, 0x58, 0x59, 0x5f];
const COPIES = [0x37, 0x39];
/** Bytes that are not an opcode in TVM or EVM. */
const UNKNOWN = [0x0c, 0x21, 0x2f, 0x4b, 0xa5, 0xb0, 0xcf, 0xe0, 0xef, 0xf6, 0xfb, 0xfe];
const CALL_ENERGY = '0f4240';
/** Memory offset of the inputs of precompiles. Programs use the memory below this offset. */
const INPUT_AT = 0x600;
/** Memory offset of the loop counters. */
const COUNTER_AT = 0xa00;
/** Memory offset to which the stack is copied at the end of the program. */
const DUMP_AT = 0xb00;
const DUMP_MAX = 48;

/** A program with call data. All its instructions have the same meaning on TRON and Ethereum. */
export interface SharedProgram {
  readonly code: Uint8Array;
  readonly data: Uint8Array;
}

/** Creates a random program that terminates. In most cases it returns its memory and its stack. */
export function sharedProgram(random: Seeded): SharedProgram {
  const data = randomBytes(random, random.below(100));
  return { code: new Writer(random).program(), data };
}

/** Writes code and tracks the number of words on the stack. */
class Writer {
  private readonly out: number[] = [];
  private height = 0;
  private readonly random: Seeded;
  private readonly steps: readonly (() => void)[];

  constructor(random: Seeded) {
    this.random = random;
    const compute = () => this.compute();
    const memory = () => this.memory();
    this.steps = [
      ...[compute, compute, compute, compute, compute, compute, memory, memory, memory, memory],
      () => this.op(random.pick(NULLARY), 0, 1),
      () => this.reorder(),
      () => this.reorder(),
      () => this.copy(),
      () => this.copyMemory(),
      () => this.transient(),
      () => this.callData(),
      () => this.branch(),
      () => this.jump(),
      () => this.loop(),
      () => this.precompile(),
      () => this.rarely(),
    ];
  }

  program(): Uint8Array {
    const count = 8 + this.random.below(50);
    for (let i = 0; i < count; i++) this.random.pick(this.steps)();
    this.end();
    return Uint8Array.from(this.out);
  }

  private push(hex: string): void {
    this.out.push(0x5f + hex.length / 2, ...fromHex(hex));
    this.height++;
  }

  private short(value: number): void {
    this.push(value.toString(16).padStart(4, '0'));
  }

  private value(): void {
    if (this.random.below(3) > 0) this.push(this.random.pick(EDGES));
    else this.push(toHex(randomBytes(this.random, 1 + this.random.below(32))));
  }

  /** Writes an instruction. First pushes operands that are missing on the stack. */
  private op(byte: number, pops: number, pushes: number): void {
    const fresh = this.random.below(3) === 0 ? pops : this.random.below(pops + 1);
    for (let i = 0; i < fresh || this.height < pops; i++) this.value();
    this.plain(byte, pops, pushes);
  }

  private plain(byte: number, pops: number, pushes: number): void {
    this.out.push(byte);
    this.height += pushes - pops;
  }

  private compute(): void {
    const kind = this.random.below(8);
    if (kind === 0) this.op(this.random.pick(UNARY), 1, 1);
    else if (kind === 1) this.op(this.random.pick(TERNARY), 3, 1);
    else this.op(this.random.pick(BINARY), 2, 1);
  }

  /** Pushes a memory offset: a constant, or a computed word that is reduced to a small range. */
  private offset(): void {
    if (this.random.below(150) === 0) this.push(this.random.pick(HUGE));
    else if (this.height === 0 || this.random.below(3) > 0) this.short(this.random.below(700));
    else {
      this.plain(0x80, 0, 1);
      this.short(0x3ff);
      this.plain(0x16, 2, 1);
    }
  }

  private size(): void {
    if (this.random.below(150) === 0) this.push(this.random.pick(HUGE));
    else this.short(this.random.pick([0, this.random.below(200), 32]));
  }

  private memory(): void {
    const kind = this.random.below(4);
    if (kind < 2) {
      this.value();
      this.offset();
      this.plain(kind === 0 ? 0x52 : 0x53, 2, 0);
    } else if (kind === 2) {
      this.offset();
      this.plain(0x51, 1, 1);
    } else {
      this.size();
      this.offset();
      this.plain(0x20, 2, 1);
    }
  }

  /** Writes CALLDATACOPY or CODECOPY. The source offset may be far after the end of the data. */
  private copy(): void {
    this.size();
    if (this.random.below(6) === 0) this.value();
    else this.short(this.random.below(120));
    this.offset();
    this.plain(this.random.pick(COPIES), 3, 0);
  }

  private copyMemory(): void {
    this.size();
    this.offset();
    this.offset();
    this.plain(0x5e, 3, 0);
  }

  private transient(): void {
    if (this.random.below(2) === 0) {
      this.value();
      this.short(this.random.below(3));
      this.plain(0x5d, 2, 0);
    }
    this.short(this.random.below(3));
    this.plain(0x5c, 1, 1);
  }

  private callData(): void {
    if (this.random.below(4) === 0) this.value();
    else this.short(this.random.below(120));
    this.plain(0x35, 1, 1);
  }

  private reorder(): void {
    const kind = this.random.below(5);
    if (kind === 0) {
      this.op(0x50, 1, 0);
      return;
    }
    const n = 1 + this.random.below(16);
    while (this.height < n + 1) this.value();
    if (kind < 3) this.plain(0x7f + n, 0, 1);
    else this.plain(0x8f + n, 0, 0);
  }

  /**
   * Writes JUMPI over code that does not change the depth of the stack. The code contains bytes that look like jump
   * destinations.
   */
  private branch(): void {
    const decoy = this.random.pick(['5b', '5b5b', '605b50', '56', '7f']);
    const skipped = [0x5f + decoy.length / 2, ...fromHex(decoy), 0x50];
    this.value();
    this.short(this.out.length + 4 + skipped.length);
    this.plain(0x57, 2, 0);
    this.out.push(...skipped, 0x5b);
  }

  /** Writes JUMP to a computed destination. The bytes between the JUMP and its destination are never executed. */
  private jump(): void {
    // If these bytes end with PUSH1, the byte after them is data of this PUSH1. The jump destination may then be
    // invalid.
    const garbage = [...randomBytes(this.random, this.random.below(5))].map((byte) => byte % 0x61);
    const part = this.random.below(0x100);
    const target = this.out.length + 8 + garbage.length;
    this.short(part);
    this.short(target ^ part);
    this.plain(0x18, 2, 1);
    this.plain(0x56, 1, 0);
    this.out.push(...garbage, 0x5b);
  }

  /** Writes a loop with a counter in memory. Each iteration changes the word on top of the stack. */
  private loop(): void {
    if (this.height === 0) this.value();
    this.short(1 + this.random.below(12));
    this.short(COUNTER_AT);
    this.plain(0x52, 2, 0);
    const start = this.out.length;
    this.out.push(0x5b);
    this.value();
    this.plain(this.random.pick(BINARY), 2, 1);
    this.push('01');
    this.short(COUNTER_AT);
    this.plain(0x51, 1, 1);
    this.plain(0x03, 2, 1);
    this.plain(0x80, 0, 1);
    this.short(COUNTER_AT);
    this.plain(0x52, 2, 0);
    this.short(start);
    this.plain(0x57, 2, 0);
  }

  private precompile(): void {
    const { address, input, outputSize } = randomCall(this.random);
    for (let at = 0; at < input.length; at += 32) {
      this.push(toHex(input.subarray(at, at + 32)).padEnd(64, '0'));
      this.short(INPUT_AT + at);
      this.plain(0x52, 2, 0);
    }
    const kind = this.random.pick([0xfa, 0xfa, 0xf1, 0xf2, 0xf4]);
    const hasValue = kind === 0xf1 || kind === 0xf2;
    this.short(outputSize);
    this.short(this.random.below(700));
    this.short(input.length);
    this.short(INPUT_AT);
    if (hasValue) this.plain(0x5f, 0, 1);
    this.push(address.toString(16).padStart(6, '0'));
    this.push(CALL_ENERGY);
    this.plain(kind, hasValue ? 7 : 6, 1);
    if (this.random.below(2) === 0) {
      this.plain(0x3d, 0, 1);
      // A read of one byte after the end of the return data ends the program with an error.
      this.push(this.random.below(20) === 0 ? '01' : '00');
      this.short(this.random.below(700));
      this.plain(0x3e, 3, 0);
    }
  }

  /** Writes an instruction that occurs rarely and ends the program early. */
  private rarely(): void {
    const kind = this.random.below(80);
    if (kind === 0) this.out.push(this.random.pick(UNKNOWN));
    else if (kind === 1) for (let i = this.height; i >= 0; i--) this.out.push(0x50);
    else if (kind === 2) this.out.push(...new Array<number>(1025).fill(0x5f));
    else if (kind === 3) {
      // Jumps into the data of a PUSH, which is not a valid destination.
      this.push('5b5b');
      this.short(this.out.length - this.random.pick([1, 2]));
      this.plain(0x56, 1, 0);
    } else if (kind === 4) {
      this.push(this.random.pick(HUGE));
      this.plain(0x56, 1, 0);
    } else if (kind === 5) {
      this.value();
      this.push(this.random.pick(HUGE));
      this.plain(0x57, 2, 0);
    }
  }

  /** Writes the last instructions of the program. Most programs copy their stack to memory and return the memory. */
  private end(): void {
    const words = Math.min(this.height, DUMP_MAX);
    for (let i = 0; i < words; i++) {
      this.short(DUMP_AT + 32 * i);
      this.plain(0x52, 2, 0);
    }
    const kind = this.random.below(40);
    if (kind === 0) return;
    if (kind === 1) {
      this.out.push(0x00);
      return;
    }
    if (kind === 2) {
      this.size();
      this.offset();
    } else {
      this.short(DUMP_AT + 32 * words);
      this.plain(0x5f, 0, 1);
    }
    this.out.push(kind < 6 ? 0xfd : 0xf3);
  }
}
