import type { MemoryOffset } from '../pairing/pairing-field.js';
import { BN254_NUMBER, BN254_TOWER, BN254_WORD, Bn254Field, TWIST_B } from './pairing-field.js';
import { BN254_U } from './scalar.js';

/** Size of a point of the curve in bytes, and of a pair. Coordinates of the twist have imaginary and real parts. */
const POINT_BYTES = 2 * BN254_WORD;
const PAIR_BYTES = 6 * BN254_WORD;

/** Number of pairs per Miller loop, which share its squarings. The limit bounds the memory for inputs of any length. */
const PAIRS_AT_ONCE = 32;
/** Layout of a pair: a point (x, y) of the curve, a point of the twist, and the current multiple of the latter. */
const TWIST_AT = 2 * BN254_NUMBER;
const SUM_AT = 4 * BN254_NUMBER;
const PAIR = 7 * BN254_NUMBER;

/** Digits of the scalar that determines the steps of the Miller loop. */
const LOOP = nonAdjacentForm(6n * BN254_U + 2n, 2);
/** Window size of a power by the seed. With odd powers up to the seventh, it takes 63 squarings and 15 products. */
const SEED_WINDOW = 4;
const SEED_DIGITS = nonAdjacentForm(BN254_U, SEED_WINDOW);

/** The optimal ate pairing of BN254, for many pairs at once. */
export class Bn254Pairing {
  private readonly field = new Bn254Field();
  private readonly pairs = this.field.allocate(PAIRS_AT_ONCE * PAIR);
  private readonly hasPoint: boolean[] = [];
  private count = 0;
  private readonly line = this.field.allocate(3 * BN254_NUMBER);
  private readonly image = this.field.allocate(2 * BN254_NUMBER);
  private readonly temp = this.field.allocate(BN254_NUMBER);
  private readonly other = this.field.allocate(BN254_NUMBER);
  /** Product of the Miller loops that were run so far. */
  private readonly product = this.field.allocate(BN254_TOWER);
  private readonly loop = this.field.allocate(BN254_TOWER);
  private readonly towers = Array.from({ length: 5 }, () => this.field.allocate(BN254_TOWER));
  private readonly seedPowers = Array.from({ length: 1 << (SEED_WINDOW - 2) }, () => this.field.allocate(BN254_TOWER));
  private readonly conjugated = this.field.allocate(BN254_TOWER);
  private readonly curveB = this.field.constant([3n, 0n]);
  private readonly twistB = this.field.constant(TWIST_B);

  /**
   * Returns true if the product of the pairings of all pairs is one. Undefined if a point is invalid or not in its
   * group. A pair is x and y of a point, then imaginary and real part of x and of y of a point of the twist. Zeros are
   * infinity, whose pairing is one.
   * @param data 192 bytes per pair
   */
  isProductOne(data: Uint8Array): boolean | undefined {
    this.count = 0;
    let isEmpty = true;
    for (let at = 0; at < data.length; at += PAIR_BYTES) {
      if (!this.readPair(data.subarray(at, at + PAIR_BYTES))) return undefined;
      if (this.count < PAIRS_AT_ONCE && at + PAIR_BYTES < data.length) continue;
      if (this.count === 0) continue;
      if (!this.runLoop()) return undefined;
      if (isEmpty) this.field.copy(this.product, this.loop, BN254_TOWER);
      else this.field.run.multiplyTower(this.product, this.product, this.loop);
      isEmpty = false;
      this.count = 0;
    }
    return isEmpty || this.isPowerOne();
  }

  /**
   * Reads a pair. @returns false for an invalid point; membership of the twist point in its group is checked after the
   * loop
   */
  private readPair(bytes: Uint8Array): boolean {
    const pair = this.pairs + this.count * PAIR;
    const [x, y] = [pair, pair + BN254_NUMBER];
    const hasPoint = isAnySet(bytes, 0, POINT_BYTES);
    if (hasPoint) {
      if (!this.field.readReal(x, bytes, 0) || !this.field.readReal(y, bytes, BN254_WORD)) return false;
      if (!this.isOnCurve(x, y, this.curveB)) return false;
    }
    if (!isAnySet(bytes, POINT_BYTES, PAIR_BYTES)) return true;
    const [twistX, twistY] = [pair + TWIST_AT, pair + TWIST_AT + BN254_NUMBER];
    for (const [at, to] of [twistX, twistY].entries()) {
      if (!this.field.readComplex(to, bytes, POINT_BYTES + at * POINT_BYTES)) return false;
    }
    if (!this.isOnCurve(twistX, twistY, this.twistB)) return false;
    this.field.copy(pair + SUM_AT, twistX, 2 * BN254_NUMBER);
    this.field.copy(pair + SUM_AT + 2 * BN254_NUMBER, this.field.one, BN254_NUMBER);
    this.hasPoint[this.count++] = hasPoint;
    return true;
  }

  private isOnCurve(x: MemoryOffset, y: MemoryOffset, b: MemoryOffset): boolean {
    const { run } = this.field;
    const { temp, other } = this;
    run.square(temp, x);
    run.multiply(temp, temp, x);
    run.plus(temp, temp, b);
    run.square(other, y);
    run.minus(temp, temp, other);
    return this.field.isZero(temp);
  }

  /**
   * Computes the product of the Miller loops of the current pairs, into `loop`.
   * @returns false if a point is not in the group of the twist
   */
  private runLoop(): boolean {
    const { run } = this.field;
    const { line, loop, image } = this;
    this.field.setOne(loop);
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
        this.field.copy(image, from, 2 * BN254_NUMBER);
        if (digit < 0) run.negate(image + BN254_NUMBER, image + BN254_NUMBER);
        this.addImage(pair);
      }
    }
    for (let pair = 0; pair < this.count; pair++) {
      this.field.copy(image, this.pairs + pair * PAIR + TWIST_AT, 2 * BN254_NUMBER);
      this.applyFrobenius();
      this.addImage(pair);
      this.applyFrobenius();
      run.negate(image + BN254_NUMBER, image + BN254_NUMBER);
      this.addImage(pair);
      this.applyFrobenius();
      if (!this.isSumImage(pair)) return false;
    }
    return true;
  }

  /** Adds the point in `image` to the current multiple of the pair's twist point. */
  private addImage(pair: number): void {
    this.field.run.addStep(this.pairs + pair * PAIR + SUM_AT, this.image, this.line);
    this.multiplyByLine(pair);
  }

  private multiplyByLine(pair: number): void {
    if (this.hasPoint[pair] === true) this.field.run.multiplyByLine(this.loop, this.line, this.pairs + pair * PAIR);
  }

  /**
   * Applies the Frobenius map (p-th power) to a point of the twist. The map is that of the curve which the twist
   * represents.
   */
  private applyFrobenius(): void {
    const { run } = this.field;
    const { image } = this;
    for (const [at, part] of [image, image + BN254_NUMBER].entries()) {
      run.conjugate(part, part);
      run.multiply(part, part, this.field.power(1, 2 + at));
    }
  }

  /**
   * Returns true if the sum of a pair, (6 u + 2) Q + f(Q) - f²(Q), equals the point in `image`, -f³(Q). This is the
   * case if and only if Q is in the group. On the twist the difference of both is (a + b f)(Q) with integers a and b.
   * If it is 0, the order of Q divides a² + a b t + b² p, where t is the trace. The only common factor of that number
   * and the order of the twist is the group order. In the group no step adds a point to itself or its negative, so z is
   * not 0. Source: the method of eprint.iacr.org/2022/348.
   */
  private isSumImage(pair: number): boolean {
    const { run } = this.field;
    const { image, temp } = this;
    const sum = this.pairs + pair * PAIR + SUM_AT;
    const z = sum + 2 * BN254_NUMBER;
    if (this.field.isZero(z)) return false;
    return [0, BN254_NUMBER].every((part) => {
      run.lessProduct(temp, sum + part, image + part, z);
      return this.field.isZero(temp);
    });
  }

  /** Returns true if `product` to the power (p^12 - 1) / r is one. */
  private isPowerOne(): boolean {
    this.field.raiseEasy(this.product, this.loop);
    return this.isHardPowerOne();
  }

  /**
   * Returns true if `product` to the power p⁴ - p² + 1 (the hard part of the exponent) is one. The exponent is
   * multiplied by 2 u (6 u² + 3 u + 1). This factor is coprime to the order, so it does not change the answer. Source:
   * Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, "Faster hashing to G2", 5, and Duquesne, Ghammam,
   * eprint.iacr.org/2015/192.
   */
  private isHardPowerOne(): boolean {
    const { run } = this.field;
    const { product: f } = this;
    const [a, b, c, d, e] = this.towers as [MemoryOffset, MemoryOffset, MemoryOffset, MemoryOffset, MemoryOffset];
    this.raiseToSeed(a, f);
    this.field.conjugate(a, a);
    run.squareCyclotomic(a, a);
    run.squareCyclotomic(b, a);
    run.multiplyTower(b, a, b);
    this.raiseToSeed(c, b);
    this.field.conjugate(c, c);
    this.field.conjugate(d, b);
    run.multiplyTower(b, c, d);
    run.squareCyclotomic(d, c);
    this.raiseToSeed(e, d);
    run.multiplyTower(e, b, e);
    run.multiplyTower(d, a, e);
    run.multiplyTower(a, c, e);
    run.multiplyTower(a, f, a);
    this.field.raise(c, d, 1);
    run.multiplyTower(a, c, a);
    this.field.raise(c, e, 2);
    run.multiplyTower(a, c, a);
    this.field.conjugate(c, f);
    run.multiplyTower(c, c, d);
    this.field.raise(c, c, 3);
    run.multiplyTower(a, c, a);
    return this.field.isOne(a);
  }

  /** Computes f^u. f must have the property that its conjugate is its inverse. */
  private raiseToSeed(to: MemoryOffset, f: MemoryOffset): void {
    const { run } = this.field;
    const { seedPowers, conjugated } = this;
    const power = (at: number): MemoryOffset => seedPowers[at] ?? 0;
    this.field.copy(power(0), f, BN254_TOWER);
    run.squareCyclotomic(conjugated, f);
    for (let at = 1; at < seedPowers.length; at++) run.multiplyTower(power(at), power(at - 1), conjugated);
    let isEmpty = true;
    for (const digit of SEED_DIGITS) {
      if (!isEmpty) run.squareCyclotomic(to, to);
      if (digit === 0) continue;
      const factor = power(Math.abs(digit) >> 1);
      if (isEmpty) this.field.copy(to, factor, BN254_TOWER);
      else if (digit > 0) run.multiplyTower(to, to, factor);
      else {
        this.field.conjugate(conjugated, factor);
        run.multiplyTower(to, to, conjugated);
      }
      isEmpty = false;
    }
  }
}

function isAnySet(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return true;
  return false;
}

/**
 * Returns the non-adjacent form, highest digit first. Digits are 0 or odd, with an absolute value below 2^(window - 1).
 * Of any `window` consecutive digits at most one is not 0.
 */
function nonAdjacentForm(value: bigint, window: number): readonly number[] {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 1n) {
    const digit = (rest & 1n) === 0n ? 0n : BigInt.asIntN(window, rest);
    rest -= digit;
    digits.push(Number(digit));
  }
  return digits.reverse();
}
