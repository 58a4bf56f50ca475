import { assemble } from '../assembler.js';
import { inverse } from '../inverse.js';
import { FIELD_BYTES } from '../limbs.js';
import { type Complex, type Field, montgomery, numberBytes, writeComplex } from '../pairing/complex-field.js';
import { DEGREE, MINUS_TWO, ONE, PLACES_END, THREE_B, TWO, timesNinePlusI, towerFunctions } from '../pairing/tower.js';
import { compileModule, createMemory, instantiate } from '../web-assembly.js';
import { P } from './functions.js';
import { U } from './scalar.js';

/** The functions of the module; what they take are addresses, that of the result first. */
interface Functions {
  multiply(to: number, a: number, b: number): void;
  square(to: number, a: number): void;
  lessProduct(to: number, a: number, b: number, c: number): void;
  timesXi(to: number, a: number): void;
  minus(to: number, a: number, b: number): void;
  plus(to: number, a: number, b: number): void;
  negate(to: number, a: number): void;
  conjugate(to: number, a: number): void;
  isZero(a: number): number;
  multiplyTower(to: number, f: number, g: number): void;
  squareTower(to: number, f: number): void;
  squareCyclotomic(to: number, f: number): void;
  multiplyByLine(f: number, line: number, point: number): void;
  doubleStep(point: number, line: number): void;
  addStep(point: number, other: number, line: number): void;
  inverse(to: number, a: number): void;
}

const FIELD: Field = { prime: P, limbs: 9, limbBits: 29 };
const NUMBER = numberBytes(FIELD);
const TOWER = DEGREE * NUMBER;
const MONTGOMERY = montgomery(FIELD);

/** Bytes of a coordinate, the highest first; of a point, x and y; of a point of the twist, imaginary and real part of each. */
const WORD = 32;
const POINT_BYTES = 2 * WORD;
const PAIR_BYTES = 6 * WORD;

/** Pairs that share the squarings of a loop, so that no room grows with what a stranger sends. */
const PAIRS_AT_ONCE = 32;
/** Of a pair: the point of the curve as (x, y), that of the twist, and the multiple of it so far. */
const TWIST_AT = 2 * NUMBER;
const SUM_AT = 4 * NUMBER;
const PAIR = 7 * NUMBER;

/** How the multiple of a point of the twist is made. */
const LOOP = nonAdjacentForm(6n * U + 2n, 2);
/** A table of odd powers up to the seventh makes a power by the seed of 63 squarings and 15 products. */
const SEED_WINDOW = 4;
const SEED_DIGITS = nonAdjacentForm(U, SEED_WINDOW);

/** i² = -1; the twist is y² = x³ + 3 / XI. */
const XI: Complex = [9n, 1n];

type Address = number;

/** The optimal ate pairing of BN254, of many pairs at once. */
export class Bn254Pairing {
  private readonly run: Functions;
  private readonly words: Int32Array;
  private end = PLACES_END * NUMBER;
  private readonly pairs = this.room(PAIRS_AT_ONCE * PAIR);
  private readonly hasPoint: boolean[] = [];
  private count = 0;
  private readonly line = this.room(3 * NUMBER);
  private readonly image = this.room(2 * NUMBER);
  private readonly temp = this.room(NUMBER);
  private readonly other = this.room(NUMBER);
  /** Product of the loops so far. */
  private readonly product = this.room(TOWER);
  private readonly loop = this.room(TOWER);
  private readonly towers = Array.from({ length: 5 }, () => this.room(TOWER));
  private readonly seedPowers = Array.from({ length: 1 << (SEED_WINDOW - 2) }, () => this.room(TOWER));
  private readonly conjugated = this.room(TOWER);
  private readonly words64 = this.room(2 * FIELD_BYTES);
  private readonly toMontgomery: Address;
  private readonly ofInverse: Address;
  private readonly curveB: Address;
  private readonly twistB: Address;
  /** Powers of ξ that the p-th, p²-th and p³-th powers of w differ from w by, for each power of w. */
  private readonly frobenius: readonly (readonly Address[])[];

  constructor() {
    const memory = createMemory(2, 2);
    const functions = towerFunctions({ field: FIELD, timesXi: timesNinePlusI, linePowers: [0, 1, 3] });
    const binary = assemble([], [...functions, inverse(P)]);
    this.run = instantiate<Functions>(compileModule(binary), { env: { memory } }).exports;
    this.words = new Int32Array(memory.buffer);
    const twistB = quotient([3n, 0n], XI);
    writeComplex(this.words, ONE * NUMBER, FIELD, [MONTGOMERY, 0n]);
    for (const [at, value] of [
      [TWO, 2n],
      [MINUS_TWO, P - 2n],
    ] as const)
      writeComplex(this.words, at * NUMBER, FIELD, kept([value, 0n]));
    writeComplex(this.words, THREE_B * NUMBER, FIELD, kept(times(twistB, [3n, 0n])));
    this.toMontgomery = this.constant([MONTGOMERY, 0n]);
    this.ofInverse = this.constant([MONTGOMERY ** 2n % P, 0n]);
    this.curveB = this.constant([3n, 0n]);
    this.twistB = this.constant(twistB);
    this.frobenius = [1n, 2n, 3n].map((power) =>
      Array.from({ length: DEGREE }, (_, at) =>
        this.constant(raised(XI, (BigInt(at) * (P ** power - 1n)) / BigInt(DEGREE))),
      ),
    );
  }

  /**
   * Whether the product of the pairings of all pairs is one; undefined where a point is none or not in its group. A pair is x and y of a
   * point, imaginary and real part of x and then of y of a point of the twist; zeros are infinity, with which a pairing is one.
   * @param data 192 bytes a pair
   */
  isProductOne(data: Uint8Array): boolean | undefined {
    this.count = 0;
    let isEmpty = true;
    for (let at = 0; at < data.length; at += PAIR_BYTES) {
      if (!this.readPair(data.subarray(at, at + PAIR_BYTES))) return undefined;
      if (this.count < PAIRS_AT_ONCE && at + PAIR_BYTES < data.length) continue;
      if (this.count === 0) continue;
      if (!this.runLoop()) return undefined;
      if (isEmpty) this.copy(this.product, this.loop, TOWER);
      else this.run.multiplyTower(this.product, this.product, this.loop);
      isEmpty = false;
      this.count = 0;
    }
    return isEmpty || this.isPowerOne();
  }

  /** @returns false where a point is none; whether that of the twist is in the group is known behind the loop */
  private readPair(bytes: Uint8Array): boolean {
    const pair = this.pairs + this.count * PAIR;
    const [x, y] = [pair, pair + NUMBER];
    const hasPoint = isAnySet(bytes, 0, POINT_BYTES);
    if (hasPoint) {
      if (!this.readReal(x, bytes, 0) || !this.readReal(y, bytes, WORD)) return false;
      if (!this.isOnCurve(x, y, this.curveB)) return false;
    }
    if (!isAnySet(bytes, POINT_BYTES, PAIR_BYTES)) return true;
    const [twistX, twistY] = [pair + TWIST_AT, pair + TWIST_AT + NUMBER];
    for (const [at, to] of [twistX, twistY].entries()) {
      if (!this.readComplex(to, bytes, POINT_BYTES + at * POINT_BYTES)) return false;
    }
    if (!this.isOnCurve(twistX, twistY, this.twistB)) return false;
    this.copy(pair + SUM_AT, twistX, 2 * NUMBER);
    this.copy(pair + SUM_AT + 2 * NUMBER, ONE * NUMBER, NUMBER);
    this.hasPoint[this.count++] = hasPoint;
    return true;
  }

  /**
   * The product of the Miller loops of the pairs that there are, into `loop`.
   * @returns false where a point is not in the group of the twist
   */
  private runLoop(): boolean {
    const { run, line, loop, image } = this;
    this.setOne(loop);
    for (const [at, digit] of LOOP.entries()) {
      if (at === 0) continue;
      if (at > 1) run.squareTower(loop, loop);
      for (let pair = 0; pair < this.count; pair++) {
        run.doubleStep(this.pairs + pair * PAIR + SUM_AT, line);
        this.multiplyByLine(pair);
      }
      if (digit === 0) continue;
      for (let pair = 0; pair < this.count; pair++) {
        const from = this.pairs + pair * PAIR + TWIST_AT;
        this.copy(image, from, 2 * NUMBER);
        if (digit < 0) run.negate(image + NUMBER, image + NUMBER);
        this.addImage(pair);
      }
    }
    for (let pair = 0; pair < this.count; pair++) {
      this.copy(image, this.pairs + pair * PAIR + TWIST_AT, 2 * NUMBER);
      this.applyFrobenius();
      this.addImage(pair);
      this.applyFrobenius();
      run.negate(image + NUMBER, image + NUMBER);
      this.addImage(pair);
      this.applyFrobenius();
      if (!this.isSumImage(pair)) return false;
    }
    return true;
  }

  /** Adds the point in `image` to the multiple of a pair's point. */
  private addImage(pair: number): void {
    this.run.addStep(this.pairs + pair * PAIR + SUM_AT, this.image, this.line);
    this.multiplyByLine(pair);
  }

  private multiplyByLine(pair: number): void {
    if (this.hasPoint[pair] === true) this.run.multiplyByLine(this.loop, this.line, this.pairs + pair * PAIR);
  }

  /** The image of a point of the twist under the p-th power, on the curve that it stands for. */
  private applyFrobenius(): void {
    const { run, image } = this;
    for (const [at, part] of [image, image + NUMBER].entries()) {
      run.conjugate(part, part);
      run.multiply(part, part, this.power(1, 2 + at));
    }
  }

  /**
   * Whether the sum of a pair, (6 u + 2) Q + f(Q) - f²(Q), is the point in `image`, -f³(Q): if and only if Q is of the group's order. What
   * f satisfies on the twist makes that sum a + b f with numbers a and b; a point that becomes 0 has an order which divides
   * a² + a b t + b² p, t being the trace, and has nothing but the group's order in common with the number of points of the twist. In the
   * group no step adds a point to itself or its opposite, so z is not 0. Source: the method of eprint.iacr.org/2022/348.
   */
  private isSumImage(pair: number): boolean {
    const { run, image, temp } = this;
    const sum = this.pairs + pair * PAIR + SUM_AT;
    const z = sum + 2 * NUMBER;
    if (this.isZero(z)) return false;
    return [0, NUMBER].every((part) => {
      run.lessProduct(temp, sum + part, image + part, z);
      return this.isZero(temp);
    });
  }

  /** Whether the power of `product` by (p^12 - 1) / r is one. */
  private isPowerOne(): boolean {
    const { run, product: f, loop: g } = this;
    // By p^6 - 1, then by p² + 1.
    this.invert(g, f);
    this.conjugate(f, f);
    run.multiplyTower(f, f, g);
    this.raise(g, f, 2);
    run.multiplyTower(f, f, g);
    return this.isHardPowerOne();
  }

  /**
   * The same for the rest, p^4 - p² + 1, times 2 u (6 u² + 3 u + 1), which changes nothing: it has nothing in common with the order.
   * Source: Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, "Faster hashing to G2", 5, and Duquesne, Ghammam, eprint.iacr.org/2015/192.
   */
  private isHardPowerOne(): boolean {
    const { run, product: f } = this;
    const [a, b, c, d, e] = this.towers as [Address, Address, Address, Address, Address];
    this.raiseToSeed(a, f);
    this.conjugate(a, a);
    run.squareCyclotomic(a, a);
    run.squareCyclotomic(b, a);
    run.multiplyTower(b, a, b);
    this.raiseToSeed(c, b);
    this.conjugate(c, c);
    this.conjugate(d, b);
    run.multiplyTower(b, c, d);
    run.squareCyclotomic(d, c);
    this.raiseToSeed(e, d);
    run.multiplyTower(e, b, e);
    run.multiplyTower(d, a, e);
    run.multiplyTower(a, c, e);
    run.multiplyTower(a, f, a);
    this.raise(c, d, 1);
    run.multiplyTower(a, c, a);
    this.raise(c, e, 2);
    run.multiplyTower(a, c, a);
    this.conjugate(c, f);
    run.multiplyTower(c, c, d);
    this.raise(c, c, 3);
    run.multiplyTower(a, c, a);
    return this.isOne(a);
  }

  /** f^u, of f whose inverse is its conjugate. */
  private raiseToSeed(to: Address, f: Address): void {
    const { run, seedPowers, conjugated } = this;
    const power = (at: number): Address => seedPowers[at] ?? 0;
    this.copy(power(0), f, TOWER);
    run.squareCyclotomic(conjugated, f);
    for (let at = 1; at < seedPowers.length; at++) run.multiplyTower(power(at), power(at - 1), conjugated);
    let isEmpty = true;
    for (const digit of SEED_DIGITS) {
      if (!isEmpty) run.squareCyclotomic(to, to);
      if (digit === 0) continue;
      const factor = power(Math.abs(digit) >> 1);
      if (isEmpty) this.copy(to, factor, TOWER);
      else if (digit > 0) run.multiplyTower(to, to, factor);
      else {
        this.conjugate(conjugated, factor);
        run.multiplyTower(to, to, conjugated);
      }
      isEmpty = false;
    }
  }

  /** f^(p^power) */
  private raise(to: Address, f: Address, power: 1 | 2 | 3): void {
    for (let at = 0; at < DEGREE; at++) {
      const [part, factor] = [at * NUMBER, this.power(power, at)];
      if (power !== 2) this.run.conjugate(to + part, f + part);
      this.run.multiply(to + part, (power === 2 ? f : to) + part, factor);
    }
  }

  private power(power: 1 | 2 | 3, at: number): Address {
    return this.frobenius[power - 1]?.[at] ?? 0;
  }

  /** f^(p^6): w becomes -w. */
  private conjugate(to: Address, f: Address): void {
    if (to !== f) this.copy(to, f, TOWER);
    for (let at = 1; at < DEGREE; at += 2) this.run.negate(to + at * NUMBER, to + at * NUMBER);
  }

  /** 1 / f, by its product with its conjugate, which has even powers of w only, and that one's norm. */
  private invert(to: Address, f: Address): void {
    const { run, temp, other } = this;
    const [g, h] = this.towers as [Address, Address];
    this.conjugate(h, f);
    run.multiplyTower(g, f, h);
    const [a, b, c] = [g, g + 2 * NUMBER, g + 4 * NUMBER];
    this.words.fill(0, to >> 2, (to + TOWER) >> 2);
    const [x, y, z] = [to, to + 2 * NUMBER, to + 4 * NUMBER];
    run.timesXi(temp, c);
    run.square(x, a);
    run.lessProduct(x, x, b, temp);
    run.multiply(y, temp, c);
    run.lessProduct(y, y, a, b);
    run.square(z, b);
    run.lessProduct(z, z, a, c);
    // a x + ξ (c y + b z)
    run.multiply(temp, temp, y);
    run.multiply(other, b, z);
    run.timesXi(other, other);
    run.plus(temp, temp, other);
    run.multiply(other, a, x);
    run.plus(temp, temp, other);
    this.invertComplex(temp, temp);
    for (const part of [x, y, z]) run.multiply(part, part, temp);
    run.multiplyTower(to, to, h);
  }

  /** 1 / (a + b i) is (a - b i) / (a² + b²). */
  private invertComplex(to: Address, a: Address): void {
    const { run, words, words64, other } = this;
    run.conjugate(other, a);
    run.multiply(other, other, a);
    for (let at = 0; at < FIELD.limbs; at++) {
      const limb = words[(other >> 2) + 4 * at] ?? 0;
      words.set([limb, limb >> 31], (words64 >> 2) + 2 * at);
    }
    run.inverse(words64 + FIELD_BYTES, words64);
    for (let at = 0; at < FIELD.limbs; at++) {
      const limb = words[((words64 + FIELD_BYTES) >> 2) + 2 * at] ?? 0;
      words.set([limb, 0, 0, limb], (other >> 2) + 4 * at);
    }
    run.multiply(other, other, this.ofInverse);
    run.conjugate(to, a);
    run.multiply(to, to, other);
  }

  /** A product that was not added to has one form of 0 only. */
  private isZero(a: Address): boolean {
    this.run.multiply(this.other, a, ONE * NUMBER);
    return this.run.isZero(this.other) === 1;
  }

  private isOne(f: Address): boolean {
    const { run, temp } = this;
    for (let at = 0; at < DEGREE; at++) {
      const part = f + at * NUMBER;
      if (at === 0) run.minus(temp, part, ONE * NUMBER);
      if (!this.isZero(at === 0 ? temp : part)) return false;
    }
    return true;
  }

  private setOne(f: Address): void {
    this.words.fill(0, f >> 2, (f + TOWER) >> 2);
    this.copy(f, ONE * NUMBER, NUMBER);
  }

  private isOnCurve(x: Address, y: Address, b: Address): boolean {
    const { run, temp, other } = this;
    run.square(temp, x);
    run.multiply(temp, temp, x);
    run.plus(temp, temp, b);
    run.square(other, y);
    run.minus(temp, temp, other);
    return this.isZero(temp);
  }

  /** @returns false for what is not below the prime */
  private readReal(to: Address, bytes: Uint8Array, at: number): boolean {
    this.words.fill(0, to >> 2, (to + NUMBER) >> 2);
    return this.readPart(to, bytes, at, 0) && this.keep(to);
  }

  private readComplex(to: Address, bytes: Uint8Array, at: number): boolean {
    return this.readPart(to, bytes, at, 1) && this.readPart(to, bytes, at + WORD, 0) && this.keep(to);
  }

  /** Brings a number that was read into the form in which numbers are kept. */
  private keep(to: Address): true {
    this.run.multiply(to, to, this.toMontgomery);
    return true;
  }

  /** Takes 32 bytes, the highest first, into one of the parts. @returns false for what is not below the prime */
  private readPart(to: Address, bytes: Uint8Array, from: number, part: 0 | 1): boolean {
    let next = from + WORD - 1;
    let rest = 0;
    let bits = 0;
    let difference = 0;
    for (let at = 0; at < FIELD.limbs; at++) {
      while (bits < FIELD.limbBits && next >= from) {
        // Up to 28 bits are left, and 8 come.
        rest += (bytes[next--] ?? 0) * 2 ** bits;
        bits += 8;
      }
      const limb = rest % 2 ** FIELD.limbBits;
      rest = Math.floor(rest / 2 ** FIELD.limbBits);
      bits -= FIELD.limbBits;
      if (limb !== PRIME_LIMBS[at]) difference = limb - (PRIME_LIMBS[at] ?? 0);
      const word = (to >> 2) + 4 * at;
      if (part === 0) {
        this.words[word] = limb;
        this.words[word + 3] = limb;
      } else {
        this.words[word + 1] = limb;
        this.words[word + 2] = -limb;
      }
    }
    return difference < 0;
  }

  private room(bytes: number): Address {
    this.end += bytes;
    return this.end - bytes;
  }

  private constant(value: Complex): Address {
    const at = this.room(NUMBER);
    writeComplex(this.words, at, FIELD, kept(value));
    return at;
  }

  private copy(to: Address, from: Address, bytes: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + bytes) >> 2);
  }
}

/** Of 29 bits, the lowest first. */
const PRIME_LIMBS = Array.from({ length: FIELD.limbs }, (_, at) =>
  Number((P >> BigInt(at * FIELD.limbBits)) & ((1n << BigInt(FIELD.limbBits)) - 1n)),
);

function isAnySet(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return true;
  return false;
}

/** Digits 0 or odd, below 2^(window - 1) either way, the highest first; of any `window` that follow one another all but one are 0. */
function nonAdjacentForm(value: bigint, window: number): readonly number[] {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 1n) {
    const digit = (rest & 1n) === 0n ? 0n : BigInt.asIntN(window, rest);
    rest -= digit;
    digits.push(Number(digit));
  }
  return digits.reverse();
}

function kept([a, b]: Complex): Complex {
  return [(a * MONTGOMERY) % P, (b * MONTGOMERY) % P];
}

function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [(a * c + (P - b) * d) % P, (a * d + b * c) % P];
}

function raised(base: Complex, exponent: bigint): Complex {
  let result: Complex = [1n, 0n];
  for (const bit of exponent.toString(2)) {
    result = times(result, result);
    if (bit === '1') result = times(result, base);
  }
  return result;
}

function quotient(a: Complex, b: Complex): Complex {
  return times(a, raised(b, P ** 2n - 2n));
}
