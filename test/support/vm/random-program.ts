/** Random numbers from a seed. The same seed creates the same numbers on all machines. */
export class Seeded {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0 || 1;
  }

  /** Returns an integer from 0 to `limit` − 1. */
  below(limit: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const EDGES = [
  '00',
  '01',
  '02',
  '03',
  '05',
  '1f',
  '20',
  '21',
  '40',
  '7f',
  '80',
  'ff',
  '0100',
  '0101',
  'ffff',
  '7fffffff',
  '80000000',
  'ffffffff',
  '0100000000',
  '7fffffffffffffff',
  '8000000000000000',
  'ffffffffffffffff',
  '010000000000000000',
  'ffffffffffffffffffffffffffffffff',
  '0100000000000000000000000000000000',
  '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '8000000000000000000000000000000000000000000000000000000000000000',
  'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe',
];
const UNARY = [0x15, 0x19, 0x1e, 0x49];
const BINARY = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b,
  0x1c, 0x1d,
];
const TERNARY = [0x08, 0x09];
const NULLARY = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a, 0x58, 0x59,
  0x5a, 0x5f, 0xd2, 0xd3,
];
const PRECOMPILES = ['01', '02', '03', '04', '05', '09', '0a', '0100', '020003', '020009', '01000005', '0100000b'];

/**
 * Creates a program whose parts are valid in most cases: operands exist, jumps have destinations, and offsets are
 * small. Some bytes are random.
 */
export function randomProgram(random: Seeded, contracts: readonly string[]): Uint8Array {
  const out: number[] = [];
  const push = (hex: string) => {
    const bytes = [...Buffer.from(hex, 'hex')];
    out.push(0x5f + bytes.length, ...bytes);
  };
  const small = (limit: number) => push(random.below(limit).toString(16).padStart(4, '0'));
  const value = () => {
    if (random.below(3) > 0) push(random.pick(EDGES));
    else {
      const size = 1 + random.below(32);
      push(Array.from({ length: size }, () => random.below(256).toString(16).padStart(2, '0')).join(''));
    }
  };
  const offset = () => (random.below(40) === 0 ? value() : small(700));
  const size = () => (random.below(40) === 0 ? value() : small(200));
  // Pushes 17 words, so that every DUP and SWAP has operands.
  for (let i = 0; i < 17; i++) value();
  const steps = 10 + random.below(60);
  for (let step = 0; step < steps; step++) {
    switch (random.below(25)) {
      case 0:
      case 1:
      case 2:
        value();
        value();
        out.push(random.pick(BINARY));
        break;
      case 3:
        value();
        value();
        value();
        out.push(random.pick(TERNARY));
        break;
      case 4:
        value();
        out.push(random.pick(UNARY));
        break;
      case 5:
        out.push(random.pick(NULLARY));
        break;
      case 6:
        value();
        offset();
        out.push(random.pick([0x52, 0x52, 0x53]));
        break;
      case 7:
        offset();
        out.push(0x51);
        break;
      case 8:
        size();
        offset();
        out.push(0x20);
        break;
      case 9:
        value();
        small(6);
        out.push(0x55);
        break;
      case 10:
        small(6);
        out.push(0x54);
        break;
      case 11:
        out.push(0x80 + random.below(16));
        break;
      case 12:
        out.push(0x90 + random.below(16));
        break;
      case 13:
        size();
        small(40);
        offset();
        out.push(random.pick([0x37, 0x39, 0x3e]));
        break;
      case 14: {
        // Writes a jump over some bytes, with a random condition.
        value();
        const skip = random.below(4);
        const target = out.length + 4 + skip;
        push(target.toString(16).padStart(4, '0'));
        out.push(0x57, ...Array.from({ length: skip }, () => random.below(256) & 0x1f), 0x5b);
        break;
      }
      case 15: {
        // Writes a loop with a counter in memory.
        const cell = 0x300 + 32 * random.below(4);
        const at = cell.toString(16).padStart(4, '0');
        push((1 + random.below(20)).toString(16).padStart(2, '0'));
        push(at);
        out.push(0x52, 0x5b);
        const start = out.length - 1;
        value();
        value();
        out.push(random.pick(BINARY), 0x50);
        push('01');
        push(at);
        out.push(0x51, 0x03, 0x80);
        push(at);
        out.push(0x52);
        push(start.toString(16).padStart(4, '0'));
        out.push(0x57);
        break;
      }
      case 16:
      case 17: {
        const kind = random.pick([0xf1, 0xf1, 0xf2, 0xf4, 0xfa, 0xd0]);
        small(100);
        offset();
        size();
        offset();
        if (kind === 0xd0) push(random.pick(['00', '0f4241']));
        if (kind === 0xf1 || kind === 0xf2 || kind === 0xd0) push(random.pick(['00', '00', '01', 'ff']));
        push(random.below(4) === 0 ? random.pick(PRECOMPILES) : random.pick(contracts));
        push(random.pick(['ffff', 'ffffff', '02ff', 'ffffffffffff']));
        out.push(kind);
        break;
      }
      case 18: {
        const count = random.below(5);
        for (let i = 0; i < count; i++) value();
        size();
        offset();
        out.push(0xa0 + count);
        break;
      }
      case 19:
        small(60);
        offset();
        push(random.pick(['00', '01']));
        out.push(0xf0);
        break;
      case 21:
        small(3);
        if (random.below(2) === 0) {
          value();
          push(random.pick(['00', '01', '02']));
          out.push(0x5d);
        }
        out.push(0x5c);
        break;
      case 22:
        size();
        offset();
        offset();
        out.push(0x5e);
        break;
      case 23:
        if (random.below(6) > 0) break;
        push(random.pick([...contracts, 'ee'.repeat(20)]));
        out.push(0xff);
        break;
      case 20:
        push(random.pick(contracts));
        out.push(random.pick([0x31, 0x3b, 0x3f, 0xd4]));
        break;
      default:
        if (random.below(4) === 0) out.push(random.below(256));
    }
  }
  size();
  offset();
  out.push(random.pick([0xf3, 0xf3, 0xf3, 0xfd, 0x00]));
  return Uint8Array.from(out);
}
