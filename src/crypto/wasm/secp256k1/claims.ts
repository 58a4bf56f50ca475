import { FIELD_BYTES, LIMB_BITS, LIMBS } from '../limbs.js';
import { BucketSum } from './bucket-sum.js';
import { Curve, NUMBER_BYTES } from './curve.js';
import { ONE_MONTGOMERY, PRIME, SECP256K1_MEMORY_END, SIGNED_POINT_BYTES } from './layout.js';
import { SECP256K1_ORDER } from './scalar.js';

/** A claim that a signature was made with a given key: the recovery of the signature returns this key. */
export interface SignatureClaim {
  /** Signed hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** r and s, 32 bytes each. Further bytes are ignored. */
  readonly signature: Uint8Array;
  /**
   * True for recovery id 1, false for 0. Recovery ids 2 and 3, where x of the point is r plus the group order, are
   * not supported.
   */
  readonly isOdd: boolean;
  /** Uncompressed key, 65 bytes: a point of the curve. */
  readonly key: Uint8Array;
}

interface Secrets {
  /** Fills an array with unpredictable bytes. */
  readonly random: (bytes: Uint8Array) => void;
  /**
   * Returns the base point times a scalar as an uncompressed point, 65 bytes. The scalar has 32 bytes and is from 1 to
   * the group order − 1.
   */
  readonly timesBase: (scalar: Uint8Array) => Uint8Array;
}

/** A public key of the batch, and the sum of its factors in all claims with this key. */
interface Key {
  readonly bytes: Uint8Array;
  readonly point: number;
  /** Sum of the factors, limb by limb. A double represents each sum exactly, because limbs have 29 bits. */
  readonly limbs: Float64Array;
}

/**
 * Verifies several signatures as one batch. For a valid signature, R − (h / s) × G − (r / s) × Q is 0. R is the point
 * that r and the recovery id determine, h is the hash, and Q is the key.
 *
 * The batch adds the equations of all claims, each multiplied by a random coefficient of 128 bits. A batch with an
 * invalid claim passes with a probability of 2^-128. `timesBase` computes the multiple of G, and the batch compares
 * it with the rest of the sum.
 */
export class Claims {
  private readonly curve: Curve;
  private readonly sum: BucketSum;
  private readonly secrets: Secrets;
  private readonly max: number;
  /** Memory address of the field elements of the claims, `CLAIM_BYTES` per claim. */
  private readonly numbers: number;
  /** Memory address of the points of the claims and keys. */
  private readonly points: number;
  /** Memory address of the workspace, `WORK_NUMBERS` field elements. */
  private readonly work: number;
  /** Address of the next free point. A claim needs one point, or two points if its key is new. */
  private pointsEnd: number;
  private readonly nonces = new Map<string, number>();
  private readonly keys = new Map<Uint8Array, Key>();
  private readonly keysByX = new Map<string, Key>();
  private readonly keyOf: Key[] = [];

  /** Creates an empty batch. @param max maximum number of claims per batch */
  constructor(max: number, secrets: Secrets) {
    this.secrets = secrets;
    this.max = max;
    this.work = SECP256K1_MEMORY_END * FIELD_BYTES;
    this.numbers = this.work + WORK_NUMBERS * FIELD_BYTES;
    this.points = this.numbers + max * CLAIM_BYTES;
    this.pointsEnd = this.points;
    const sum = this.points + 2 * max * SIGNED_POINT_BYTES;
    this.curve = new Curve(sum + BucketSum.bytes);
    this.sum = new BucketSum(this.curve, sum, 2 * max);
  }

  get length(): number {
    return this.keyOf.length;
  }

  /**
   * Adds a claim to the batch.
   * @returns false if the caller must verify the claim in another way: the batch is full, r or s is not from 1 to the
   * group order − 1, no point has x = r, another claim has the same r, the key does not have 65 bytes, or the batch
   * contains the negative of the key
   */
  add({ hash, signature, isOdd, key }: SignatureClaim): boolean {
    const { curve, nonces, keyOf } = this;
    const r = signature.subarray(0, NUMBER_BYTES);
    const s = signature.subarray(NUMBER_BYTES, 2 * NUMBER_BYTES);
    if (keyOf.length === this.max || key.length !== KEY_BYTES || !isScalar(r) || !isScalar(s)) return false;
    // Rejects a second claim with the same r: both nonce points have the x coordinate r, and the batch cannot add two
    // points with the same x. Honest signers never use a nonce twice.
    const nonce = nameOf(r);
    if (nonces.has(nonce)) return false;
    const point = this.pointsEnd;
    curve.writeBytes(point, r);
    if (curve.run.lift(point, isOdd ? 1 : 0) === 0) return false;
    const ofKey = this.keyAt(point + SIGNED_POINT_BYTES, key);
    if (ofKey === undefined) return false;
    this.pointsEnd = Math.max(point, ofKey.point) + SIGNED_POINT_BYTES;
    nonces.set(nonce, point);
    const numbers = this.numbers + keyOf.length * CLAIM_BYTES;
    curve.writeBytes(numbers + S, s);
    curve.writeBytes(numbers + R, r);
    curve.writeBytes(numbers + HASH, hash);
    keyOf.push(ofKey);
    return true;
  }

  /**
   * Returns true if all claims are valid. Returns false if a claim is invalid, if this method cannot compute the sum,
   * or if the batch has fewer than `min` claims. Always removes all claims.
   */
  prove(min = 1): boolean {
    try {
      return this.length >= min && this.isProven();
    } finally {
      this.nonces.clear();
      this.keys.clear();
      this.keysByX.clear();
      this.keyOf.length = 0;
      this.pointsEnd = this.points;
    }
  }

  private isProven(): boolean {
    const { curve, sum, work, keysByX } = this;
    sum.begin(this.length + keysByX.size);
    const ofBase = integerOf(this.multiply()) % SECP256K1_ORDER;
    if (ofBase === 0n) return false;
    for (const { point, limbs } of keysByX.values()) sum.addTerm(point, carried(limbs), true);
    if (!sum.sum(work)) return false;
    const [x, y, z] = [work, work + FIELD_BYTES, work + 2 * FIELD_BYTES] as const;
    curve.run.inverse(z, z);
    for (const coordinate of [x, y]) {
      curve.run.multiply(coordinate, coordinate, z);
      curve.run.canonical(coordinate);
    }
    const expected = this.secrets.timesBase(bytesOf(ofBase));
    return [x, y].every((coordinate, at) => {
      curve.writeBytes(z, expected.subarray(1 + at * NUMBER_BYTES, 1 + (at + 1) * NUMBER_BYTES));
      return curve.read(coordinate) === curve.read(z);
    });
  }

  /**
   * Multiplies the equation of each claim by a random coefficient. Adds the term of R to the sum, and adds the factor
   * of Q to `limbs` of its key.
   * @returns limbs of the factor of G
   */
  private multiply(): Float64Array {
    const { curve, work, sum, keyOf } = this;
    const { run, words } = curve;
    const coefficients = new Uint8Array(this.length * COEFFICIENT_BYTES);
    this.secrets.random(coefficients);
    const ofBase = new Float64Array(LIMBS);
    const limbs = new Float64Array(LIMBS);
    const [inverse, own, coefficient] = [work, work + FIELD_BYTES, work + 2 * FIELD_BYTES] as const;
    this.invertAll(inverse);
    const points = [...this.nonces.values()];
    for (let at = this.length - 1; at >= 0; at--) {
      const numbers = this.numbers + at * CLAIM_BYTES;
      const before = at === 0 ? ONE_MONTGOMERY * FIELD_BYTES : numbers - CLAIM_BYTES + PRODUCT;
      run.multiplyScalars(own, inverse, before);
      run.multiplyScalars(inverse, inverse, numbers + S);
      curve.writeBytes(coefficient, coefficients.subarray(at * COEFFICIENT_BYTES, (at + 1) * COEFFICIENT_BYTES));
      addLimbs(limbs.fill(0), words, coefficient);
      sum.addTerm(points[at] ?? 0, limbs, false);
      run.multiplyScalars(own, own, coefficient);
      run.multiplyScalars(coefficient, own, numbers + HASH);
      addLimbs(ofBase, words, coefficient);
      run.multiplyScalars(coefficient, own, numbers + R);
      const key = keyOf[at];
      if (key !== undefined) addLimbs(key.limbs, words, coefficient);
    }
    return ofBase;
  }

  /**
   * For each claim, computes the product of the s values of this claim and all claims before it. Then computes the
   * inverse of the last product. A Montgomery product divides by 2^261, so a stored number represents its value
   * divided by 2^261. The result represents the inverse of the represented value.
   */
  private invertAll(to: number): void {
    const { curve, numbers } = this;
    curve.write(ONE_MONTGOMERY * FIELD_BYTES, MONTGOMERY % SECP256K1_ORDER);
    let before = ONE_MONTGOMERY * FIELD_BYTES;
    for (let at = 0; at < this.length; at++) {
      const claim = numbers + at * CLAIM_BYTES;
      curve.run.multiplyScalars(claim + PRODUCT, before, claim + S);
      before = claim + PRODUCT;
    }
    curve.write(
      to,
      (((MONTGOMERY * MONTGOMERY) % SECP256K1_ORDER) * inverseOf(curve.read(before) % SECP256K1_ORDER)) %
        SECP256K1_ORDER,
    );
  }

  /**
   * Returns the key with these bytes. Adds the key to the batch if it is new. Returns undefined if the batch already
   * contains the negative of the key.
   */
  private keyAt(point: number, bytes: Uint8Array): Key | undefined {
    const { curve, keys, keysByX } = this;
    const seen = keys.get(bytes);
    if (seen !== undefined) return seen;
    const name = nameOf(bytes.subarray(1, 1 + NUMBER_BYTES));
    const same = keysByX.get(name);
    if (same !== undefined) return same.bytes.every((byte, at) => byte === bytes[at]) ? same : undefined;
    curve.writeBytes(point, bytes.subarray(1, 1 + NUMBER_BYTES));
    curve.writeBytes(point + FIELD_BYTES, bytes.subarray(1 + NUMBER_BYTES));
    curve.run.plusTimes(point + 2 * FIELD_BYTES, PRIME * FIELD_BYTES, point + FIELD_BYTES, -1n);
    const key = { bytes, point, limbs: new Float64Array(LIMBS) };
    keys.set(bytes, key);
    keysByX.set(name, key);
    return key;
  }
}

/** Size of an uncompressed key, in bytes. */
const KEY_BYTES = 1 + 2 * NUMBER_BYTES;
/** Size of a coefficient in bytes. With 128 random bits, an invalid claim passes with a probability of 2^-128. */
const COEFFICIENT_BYTES = 16;
/**
 * Offsets in bytes of the numbers of a claim. PRODUCT is the product of the s values of this claim and all earlier
 * claims.
 */
const [S, PRODUCT, R, HASH] = [0, FIELD_BYTES, 2 * FIELD_BYTES, 3 * FIELD_BYTES] as const;
const CLAIM_BYTES = 4 * FIELD_BYTES;
const WORK_NUMBERS = 3;
const MONTGOMERY = 1n << BigInt(LIMBS * LIMB_BITS);

/** Returns true if 32 bytes encode a number from 1 to the group order − 1. */
function isScalar(bytes: Uint8Array): boolean {
  for (let at = 0; at < NUMBER_BYTES; at++) {
    const difference = (bytes[at] ?? 0) - (ORDER_BYTES[at] ?? 0);
    if (difference > 0) return false;
    if (difference < 0) return bytes.some((byte) => byte !== 0);
  }
  return false;
}

/** Returns bytes as a text for use as a map key. */
function nameOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function addLimbs(sums: Float64Array, words: Int32Array, address: number): void {
  for (let at = 0; at < LIMBS; at++) sums[at] = (sums[at] ?? 0) + (words[address / 4 + at * 2] ?? 0);
}

/** Carries limbs, so that each limb is below 2^29. The result has one limb more than the input. */
function carried(limbs: Float64Array): Float64Array {
  const base = 2 ** LIMB_BITS;
  const out = new Float64Array(LIMBS + 1);
  let carry = 0;
  for (let at = 0; at <= LIMBS; at++) {
    const limb = (limbs[at] ?? 0) + carry;
    out[at] = limb % base;
    carry = Math.floor(limb / base);
  }
  return out;
}

function integerOf(limbs: Float64Array): bigint {
  return limbs.reduceRight((sum, limb) => (sum << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
}

/** Returns the inverse of `value` modulo the group order. `value` is from 1 to the group order − 1. */
function inverseOf(value: bigint): bigint {
  let [a, b] = [SECP256K1_ORDER, value];
  let [before, factor] = [0n, 1n];
  while (b !== 1n) {
    const quotient = a / b;
    [a, b] = [b, a % b];
    [before, factor] = [factor, before - quotient * factor];
  }
  return factor < 0n ? factor + SECP256K1_ORDER : factor;
}

function bytesOf(value: bigint): Uint8Array {
  return Uint8Array.from({ length: NUMBER_BYTES }, (_, at) =>
    Number((value >> BigInt(8 * (NUMBER_BYTES - 1 - at))) & 0xffn),
  );
}

const ORDER_BYTES = bytesOf(SECP256K1_ORDER);
