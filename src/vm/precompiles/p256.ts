import { createECDH } from 'node:crypto';
import { EMPTY_BYTES, toUnsigned } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { booleanWord, type Precompile, success } from './precompile.js';

const INPUT_BYTES = 160;
const ENERGY = 6900;

/**
 * Verifies a secp256r1 signature (r, s) of a hash with a public key (x, y). Returns the word 1 for a valid signature,
 * and no bytes for an invalid one. s may be above half of the group order. Reference: PrecompiledContracts.P256Verify
 * (TIP-7951).
 */
export const p256Verify: Precompile = {
  energy: () => ENERGY,
  energyPerMs: 10_000,
  run: (data) => success(data.length === INPUT_BYTES && isSignature(data) ? booleanWord(true) : EMPTY_BYTES),
};

/** Modulus of the field. The curve is y² = x³ − 3x + B over this field. The order of the curve is N. */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/**
 * ECDH object. It is reused, because creating one takes as long as a multiplication of G. Each use sets the private key
 * first.
 */
const exchange = createECDH('prime256v1');

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/**
 * Returns true if r is the x of (e/s) × G + (r/s) × Q, where e is the hash and Q the key. This point is equal to (r/s)
 * × ((e/r) × G + Q).
 *
 * OpenSSL computes the two multiples through ECDH in a tenth of the time of JavaScript. Its ECDH returns both
 * coordinates of a multiple of G, but only x of a multiple of any other point. JavaScript computes the sum and the
 * checks.
 */
function isSignature(data: Uint8Array): boolean {
  const [e, r, s, x, y] = [0, 1, 2, 3, 4].map((index) => numberAt(data, index * WORD_BYTES)) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if (r === 0n || r >= N || s === 0n || s >= N || x >= P || y >= P) return false;
  if (mod(y * y - x * x * x + 3n * x - B, P) !== 0n) return false;
  const inverse = invert((r * s) % N, N);
  const sum = add(multipleOfG((e * s * inverse) % N), { x, y });
  return sum !== undefined && xOfMultiple((r * r * inverse) % N, sum) % N === r;
}

/** Returns factor × G; undefined for the point at infinity. */
function multipleOfG(factor: bigint): Point | undefined {
  if (factor === 0n) return undefined;
  exchange.setPrivateKey(bytesOf(factor));
  const key = exchange.getPublicKey();
  return { x: numberAt(key, 1), y: numberAt(key, 1 + WORD_BYTES) };
}

/**
 * Returns the x coordinate of factor × point.
 * @param factor from 1 to N − 1, so the product is not the point at infinity
 */
function xOfMultiple(factor: bigint, { x, y }: Point): bigint {
  exchange.setPrivateKey(bytesOf(factor));
  return numberAt(exchange.computeSecret(Buffer.concat([Uint8Array.of(4), bytesOf(x), bytesOf(y)])), 0);
}

/** Adds two points. Undefined represents the point at infinity. */
function add(a: Point | undefined, b: Point): Point | undefined {
  if (a === undefined) return b;
  if (a.x === b.x && a.y !== b.y) return undefined;
  // The order of the curve is odd, so no point has y = 0. Therefore every point has a tangent.
  const slope =
    a.x === b.x ? (3n * a.x * a.x - 3n) * invert(mod(2n * a.y, P), P) : (b.y - a.y) * invert(mod(b.x - a.x, P), P);
  const x = mod(slope * slope - a.x - b.x, P);
  return { x, y: mod(slope * (a.x - x) - a.y, P) };
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** Returns the inverse of `value` modulo a prime, by Euclid's algorithm. The value is above 0 and below the prime. */
function invert(value: bigint, prime: bigint): bigint {
  let [a, b] = [prime, value];
  let [u, v] = [0n, 1n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [u, v] = [v, u - quotient * v];
  }
  return mod(u, prime);
}

function numberAt(data: Uint8Array, at: number): bigint {
  return toUnsigned(data.subarray(at, at + WORD_BYTES));
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * WORD_BYTES, '0'), 'hex');
}
