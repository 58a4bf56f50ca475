import { assemble } from '../assembler.js';
import { FIELD_BYTES, writeLimbs } from '../limbs.js';
import { compileModule, createMemory, instantiate } from '../web-assembly.js';
import { BN254_MEMORY_END, BN254_P, BN254_POINT_BYTES, functions } from './functions.js';
import { BETA, BN254_ORDER, DIGITS, halvesOf, scalarDigits, TABLE_POINTS } from './scalar.js';

/** Size of a coordinate or a scalar in bytes, big-endian. */
const NUMBER_BYTES = 32;
/** Size of an affine point, in bytes. */
const AFFINE_BYTES = 2 * FIELD_BYTES;
const MONTGOMERY = (1n << 261n) % BN254_P;
/** Coefficient of the curve y² = x³ + 3. */
const CURVE_B = 3n;

/** Functions of the module. Parameters are addresses, that of the result first. */
interface Functions {
  multiply(to: number, a: number, b: number): void;
  square(to: number, a: number): void;
  squareThreeTimes(to: number, a: number): void;
  squareLessBoth(to: number, a: number, b: number, c: number): void;
  timesDifferenceLessSquare(to: number, a: number, b: number, c: number, d: number): void;
  timesDifferenceLess(to: number, a: number, b: number, c: number, d: number): void;
  squareLessProducts(to: number, a: number, b: number, c: number, d: number, e: number): void;
  subtract(to: number, a: number, b: number): void;
  twice(to: number, a: number): void;
  negate(to: number, a: number): void;
  inverse(to: number, a: number): void;
  readBytes(to: number, bytes: number): number;
  writeBytes(bytes: number, a: number): void;
  isZero(a: number): number;
  double(point: number): void;
  add(point: number, x: number, y: number): void;
}

/** Address of a value in the memory of the module. */
type Address = number;

/** The curve y² = x³ + 3 over the field of BN254. Points have 64 bytes: x and y, zeros for infinity. */
export class Bn254 {
  readonly run: Functions;
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private end = BN254_MEMORY_END * FIELD_BYTES;
  private readonly exchange = this.allocate(NUMBER_BYTES);
  private readonly one: Address;
  private readonly plainOne = this.allocate(FIELD_BYTES);
  private readonly toMontgomery: Address;
  /** Factor that converts the inverse of a number in Montgomery form to Montgomery form. */
  private readonly ofInverse: Address;
  private readonly curveB: Address;
  private readonly beta: Address;
  private readonly a = this.allocate(AFFINE_BYTES);
  private readonly b = this.allocate(AFFINE_BYTES);
  private readonly slope = this.allocate(FIELD_BYTES);
  private readonly temp = this.allocate(FIELD_BYTES);
  private readonly sum = this.allocate(BN254_POINT_BYTES);
  /** 1, 3, 5 and 7 times a point, and for each of them (beta x, -y), the negative of its image. */
  private readonly multiples = this.allocate(TABLE_POINTS * BN254_POINT_BYTES);
  private readonly images = this.allocate(TABLE_POINTS * AFFINE_BYTES);
  private readonly products = this.allocate(TABLE_POINTS * FIELD_BYTES);

  constructor() {
    const memory = createMemory(1, 1);
    const { exports } = instantiate<Functions>(compileModule(assemble([], functions())), { env: { memory } });
    this.run = exports;
    this.words = new Int32Array(memory.buffer);
    this.bytes = new Uint8Array(memory.buffer);
    writeLimbs(this.words, this.plainOne, 1n);
    this.toMontgomery = this.constant(MONTGOMERY ** 2n % BN254_P);
    this.ofInverse = this.constant(MONTGOMERY ** 3n % BN254_P);
    this.one = this.constant(MONTGOMERY);
    this.curveB = this.constant((CURVE_B * MONTGOMERY) % BN254_P);
    this.beta = this.constant((BETA * MONTGOMERY) % BN254_P);
  }

  /** Returns the sum of two points; undefined if one is invalid. */
  add(left: Uint8Array, right: Uint8Array): Uint8Array | undefined {
    const { run, a, b, slope, temp } = this;
    if (!this.readPoint(a, left) || !this.readPoint(b, right)) return undefined;
    if (isInfinity(left)) return Uint8Array.from(right);
    if (isInfinity(right)) return Uint8Array.from(left);
    const [ay, by] = [a + FIELD_BYTES, b + FIELD_BYTES];
    if (isSame(left, right, 0)) {
      // Points with the same x and different y are negatives of each other. No point has y = 0, because the group order
      // is odd.
      if (!isSame(left, right, NUMBER_BYTES)) return new Uint8Array(2 * NUMBER_BYTES);
      run.twice(temp, ay);
      run.squareThreeTimes(slope, a);
    } else {
      run.subtract(temp, a, b);
      run.subtract(slope, ay, by);
    }
    this.invert(temp, temp);
    run.multiply(slope, slope, temp);
    run.squareLessBoth(temp, slope, a, b);
    run.timesDifferenceLess(ay, slope, a, temp, ay);
    return this.pointBytes(temp, ay);
  }

  /** Returns a multiple of a point, by any number of 32 bytes; undefined if the point is invalid. */
  multiply(point: Uint8Array, factor: Uint8Array): Uint8Array | undefined {
    const { run, a, sum, slope, temp } = this;
    if (!this.readPoint(a, point)) return undefined;
    const scalar = numberOf(factor) % BN254_ORDER;
    if (isInfinity(point) || scalar === 0n) return new Uint8Array(2 * NUMBER_BYTES);
    this.storeMultiples();
    this.addMultiples(halvesOf(scalar));
    this.invert(temp, sum + 2 * FIELD_BYTES);
    run.square(slope, temp);
    run.multiply(sum, sum, slope);
    run.multiply(slope, slope, temp);
    run.multiply(sum + FIELD_BYTES, sum + FIELD_BYTES, slope);
    return this.pointBytes(sum, sum + FIELD_BYTES);
  }

  /**
   * Computes 1, 3, 5 and 7 times the point in `a` and stores them with z = 1. One inversion is used to double the
   * point, another one to normalize all multiples.
   */
  private storeMultiples(): void {
    const { run, a, b, slope, temp, multiples, images, products } = this;
    const [ay, by] = [a + FIELD_BYTES, b + FIELD_BYTES];
    run.twice(temp, ay);
    this.invert(temp, temp);
    run.squareThreeTimes(slope, a);
    run.multiply(slope, slope, temp);
    run.squareLessBoth(b, slope, a, a);
    run.timesDifferenceLess(by, slope, a, b, ay);
    const z = (at: number): Address => multiples + at * BN254_POINT_BYTES + 2 * FIELD_BYTES;
    const product = (at: number): Address => products + at * FIELD_BYTES;
    this.copy(multiples, a, AFFINE_BYTES);
    this.copy(z(0), this.one, FIELD_BYTES);
    this.copy(product(0), this.one, FIELD_BYTES);
    for (let at = 1; at < TABLE_POINTS; at++) {
      this.copy(multiples + at * BN254_POINT_BYTES, multiples + (at - 1) * BN254_POINT_BYTES, BN254_POINT_BYTES);
      run.add(multiples + at * BN254_POINT_BYTES, b, by);
      run.multiply(product(at), product(at - 1), z(at));
    }
    this.invert(temp, product(TABLE_POINTS - 1));
    for (let at = TABLE_POINTS - 1; at >= 0; at--) {
      const [x, y] = [multiples + at * BN254_POINT_BYTES, multiples + at * BN254_POINT_BYTES + FIELD_BYTES];
      if (at > 0) {
        run.multiply(product(at), temp, product(at - 1));
        run.multiply(temp, temp, z(at));
        run.square(slope, product(at));
        run.multiply(x, x, slope);
        run.multiply(slope, slope, product(at));
        run.multiply(y, y, slope);
      }
      run.multiply(images + at * AFFINE_BYTES, x, this.beta);
      run.negate(images + at * AFFINE_BYTES + FIELD_BYTES, y);
    }
  }

  /**
   * Computes a times the point plus b times its image, into `sum`. An addend never equals the current sum or its
   * negative, which `add` cannot handle: both coefficients of the sum are even, and the digit of the addend is odd. So
   * if they were equal, the difference would be a nonzero multiple of the order, but the scalar halves and their
   * leading digits are too small for that.
   */
  private addMultiples([a, b]: readonly [bigint, bigint]): void {
    const { run, sum, multiples, images } = this;
    const [ofPoint, ofImage] = [scalarDigits(a), scalarDigits(b)];
    let isEmpty = true;
    const add = (digit: number, isOfImage: boolean): void => {
      const at = Math.abs(digit) >> 1;
      const [point, image] = [multiples + at * BN254_POINT_BYTES, images + at * AFFINE_BYTES];
      const x = isOfImage ? image : point;
      const y = (digit > 0 ? point : image) + FIELD_BYTES;
      if (!isEmpty) run.add(sum, x, y);
      else {
        this.copy(sum, x, FIELD_BYTES);
        this.copy(sum + FIELD_BYTES, y, FIELD_BYTES);
        this.copy(sum + 2 * FIELD_BYTES, this.one, FIELD_BYTES);
        isEmpty = false;
      }
    };
    for (let at = DIGITS - 1; at >= 0; at--) {
      if (!isEmpty) run.double(sum);
      const [left, right] = [ofPoint[at] ?? 0, ofImage[at] ?? 0];
      if (left !== 0) add(left, false);
      if (right !== 0) add(right, true);
    }
  }

  /**
   * Reads a point. @returns false for invalid coordinates or a point off the curve; infinity is valid, but not written
   */
  private readPoint(to: Address, point: Uint8Array): boolean {
    if (isInfinity(point)) return true;
    const { run, temp, one, curveB } = this;
    const y = to + FIELD_BYTES;
    if (!this.readNumber(to, point, 0) || !this.readNumber(y, point, NUMBER_BYTES)) return false;
    run.square(temp, to);
    run.squareLessProducts(temp, y, to, temp, curveB, one);
    return run.isZero(temp) === 1;
  }

  private readNumber(to: Address, bytes: Uint8Array, from: number): boolean {
    const { run, exchange } = this;
    for (let at = 0; at < NUMBER_BYTES; at++) this.bytes[exchange + at] = bytes[from + at] ?? 0;
    if (run.readBytes(to, exchange) === 0) return false;
    run.multiply(to, to, this.toMontgomery);
    return true;
  }

  private pointBytes(x: Address, y: Address): Uint8Array {
    const point = new Uint8Array(2 * NUMBER_BYTES);
    this.writeNumber(point, 0, x);
    this.writeNumber(point, NUMBER_BYTES, y);
    return point;
  }

  private writeNumber(bytes: Uint8Array, to: number, from: Address): void {
    const { run, exchange } = this;
    run.multiply(this.slope, from, this.plainOne);
    run.writeBytes(exchange, this.slope);
    for (let at = 0; at < NUMBER_BYTES; at++) bytes[to + at] = this.bytes[exchange + at] ?? 0;
  }

  /** Writes a number in Montgomery form. @param value below the prime */
  write(to: Address, value: bigint): void {
    writeLimbs(this.words, to, value);
    this.run.multiply(to, to, this.toMontgomery);
  }

  read(from: Address): bigint {
    const bytes = new Uint8Array(NUMBER_BYTES);
    this.writeNumber(bytes, 0, from);
    return numberOf(bytes);
  }

  invert(to: Address, a: Address): void {
    this.run.inverse(to, a);
    this.run.multiply(to, to, this.ofInverse);
  }

  private allocate(bytes: number): Address {
    this.end += bytes;
    return this.end - bytes;
  }

  private constant(value: bigint): Address {
    const at = this.allocate(FIELD_BYTES);
    writeLimbs(this.words, at, value);
    return at;
  }

  private copy(to: Address, from: Address, bytes: number): void {
    this.words.copyWithin(to >> 2, from >> 2, (from + bytes) >> 2);
  }
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function isInfinity(point: Uint8Array): boolean {
  for (let at = 0; at < 2 * NUMBER_BYTES; at++) if (point[at] !== 0) return false;
  return true;
}

function isSame(a: Uint8Array, b: Uint8Array, from: number): boolean {
  for (let at = from; at < from + NUMBER_BYTES; at++) if (a[at] !== b[at]) return false;
  return true;
}
