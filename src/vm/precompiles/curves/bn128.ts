import { add, BN_SNARK1, Fp, Fp2, Fr, finalExp, G1, G2, type GT, init, millerLoop, mul } from 'mcl-wasm';
import { toUnsigned } from '../../../primitives/bytes.js';
import { WORD_BYTES as WORD } from '../../../primitives/units.js';
import { padded } from '../precompile.js';

// The library allows one curve per process or thread. No other code uses the library.
await init(BN_SNARK1);

const PRIME = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
/** Coefficient of the curve y² = x³ + 3. */
const CURVE_B = 3n;
const POINT_BYTES = 2 * WORD;
const PAIR_BYTES = 6 * WORD;

const ONE = new Fp();
ONE.setInt(1);
const TWIST_ONE = new Fp2();
TWIST_ONE.setInt(1, 0);

/**
 * Returns x and y of the sum of two points. The input has 128 bytes, padded with zeros. Returns undefined for an
 * invalid point.
 */
export function addPoints(data: Uint8Array): Uint8Array | undefined {
  const bytes = padded(data, 0, 2 * POINT_BYTES);
  const [left, right] = [bytes.subarray(0, POINT_BYTES), bytes.subarray(POINT_BYTES)];
  if (!isPoint(left) || !isPoint(right)) return undefined;
  if (isZero(left)) return right;
  if (isZero(right)) return left;
  return pointBytes(add(pointOf(left), pointOf(right)));
}

/** Returns x and y of the product of a point and a 256-bit word. Returns undefined for an invalid point. */
export function multiplyPoint(data: Uint8Array): Uint8Array | undefined {
  const bytes = padded(data, 0, POINT_BYTES + WORD);
  const point = bytes.subarray(0, POINT_BYTES);
  if (!isPoint(point)) return undefined;
  const scalar = bytes.subarray(POINT_BYTES);
  if (isZero(point) || isZero(scalar)) return new Uint8Array(POINT_BYTES);
  // A product with the factor 1 must return at once, because a block can contain very many such calls. java-tron does
  // the same.
  if (numberAt(scalar, 0) === 1n) return point;
  const factor = new Fr();
  factor.setBigEndianMod(scalar);
  return pointBytes(mul(pointOf(point), factor));
}

/**
 * Returns true if the product of the pairings of all pairs is one. A pair has 192 bytes. Returns undefined if a point
 * is invalid, or not in its group.
 */
export function isPairingOne(data: Uint8Array): boolean | undefined {
  let product: GT | undefined;
  for (let at = 0; at < data.length; at += PAIR_BYTES) {
    const point = data.subarray(at, at + POINT_BYTES);
    if (!isPoint(point)) return undefined;
    const twist = twistPointOf(data.subarray(at + POINT_BYTES, at + PAIR_BYTES));
    if (twist === undefined) return undefined;
    if (isZero(point) || twist.isZero()) continue;
    const pairing = millerLoop(pointOf(point), twist);
    product = product === undefined ? pairing : mul(product, pairing);
  }
  return product === undefined || finalExp(product).isOne();
}

/** Returns true if 64 bytes are a point of the curve. Zeros are the point at infinity. */
function isPoint(bytes: Uint8Array): boolean {
  const [x, y] = [numberAt(bytes, 0), numberAt(bytes, WORD)];
  if (x >= PRIME || y >= PRIME) return false;
  return (x === 0n && y === 0n) || (y * y - x * x * x - CURVE_B) % PRIME === 0n;
}

/** Returns the point with the coordinates of a valid point. */
function pointOf(bytes: Uint8Array): G1 {
  const point = new G1();
  point.setX(fieldElement(bytes, 0));
  point.setY(fieldElement(bytes, WORD));
  point.setZ(ONE);
  return point;
}

/**
 * Decodes a point of the twist. The imaginary part of each coordinate is first. Returns undefined if the point is
 * invalid or not in the group.
 */
function twistPointOf(bytes: Uint8Array): G2 | undefined {
  const point = new G2();
  point.clear();
  if (isZero(bytes)) return point;
  for (let at = 0; at < bytes.length; at += WORD) if (numberAt(bytes, at) >= PRIME) return undefined;
  point.setX(twistElement(bytes, 0));
  point.setY(twistElement(bytes, 2 * WORD));
  point.setZ(TWIST_ONE);
  return point.isValid() && point.isValidOrder() ? point : undefined;
}

function twistElement(bytes: Uint8Array, at: number): Fp2 {
  const element = new Fp2();
  element.set_b(fieldElement(bytes, at));
  element.set_a(fieldElement(bytes, at + WORD));
  return element;
}

/** Decodes an element of the field. The value of the bytes must be below the prime. */
function fieldElement(bytes: Uint8Array, at: number): Fp {
  const element = new Fp();
  element.deserialize(bytes.slice(at, at + WORD).reverse());
  return element;
}

function pointBytes(point: G1): Uint8Array {
  const bytes = new Uint8Array(POINT_BYTES);
  if (point.isZero()) return bytes;
  point.normalize();
  bytes.set(point.getX().serialize().reverse(), 0);
  bytes.set(point.getY().serialize().reverse(), WORD);
  return bytes;
}

function numberAt(bytes: Uint8Array, at: number): bigint {
  return toUnsigned(bytes.subarray(at, at + WORD));
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
