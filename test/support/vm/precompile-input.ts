import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import type { Seeded } from './random-program.js';

/** Call of a precompile that has the same definition on TRON and Ethereum. */
export interface PrecompileCall {
  readonly address: number;
  readonly input: Uint8Array;
  /** Maximum size of the output, in bytes. The call reserves this memory. */
  readonly outputSize: number;
}

const SHA256 = 0x02;
const IDENTITY = 0x04;
const MODEXP = 0x05;
const BN_ADD = 0x06;
const BN_MULTIPLY = 0x07;
const BN_PAIRING = 0x08;
const P256_VERIFY = 0x0100;
/** TRON address of the precompile that Ethereum has at 0x03. */
export const RIPEMD160 = 0x020003;
/** TRON address of the precompile that Ethereum has at 0x09. */
export const BLAKE2F = 0x020009;

/** Generators of calls, with their share per hundred calls. Expensive precompiles are rare. */
const WEIGHTS: readonly (readonly [weight: number, make: (random: Seeded) => PrecompileCall])[] = [
  [20, (random) => hash(random, SHA256)],
  [14, (random) => hash(random, RIPEMD160)],
  [4, p256Verify],
  [18, identity],
  [22, modExp],
  [12, blake2F],
  [6, bnAdd],
  [3, bnMultiply],
  [1, bnPairing],
];

/** Returns a random call. {@link WEIGHTS} sets the probability of each precompile. */
export function randomCall(random: Seeded): PrecompileCall {
  let left = random.below(100);
  for (const [weight, make] of WEIGHTS) {
    if (left < weight) return make(random);
    left -= weight;
  }
  throw new Error('the sum of the weights is not 100');
}

export function randomBytes(random: Seeded, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function hash(random: Seeded, address: number): PrecompileCall {
  return { address, input: randomBytes(random, random.below(200)), outputSize: 32 };
}

function identity(random: Seeded): PrecompileCall {
  const input = randomBytes(random, random.below(200));
  return { address: IDENTITY, input, outputSize: input.length };
}

function modExp(random: Seeded): PrecompileCall {
  const [base, exponent] = [random.below(70), random.below(random.pick([3, 40]))];
  const modulus = random.pick([1, 1 + random.below(64), 32]);
  const digits = randomBytes(random, modulus);
  if (random.below(20) === 0) digits.fill(0);
  const input = Buffer.concat([
    ...[base, exponent, modulus].map(word),
    randomBytes(random, base),
    randomBytes(random, exponent),
    digits,
    randomBytes(random, random.pick([0, 0, 7])),
  ]);
  return { address: MODEXP, input, outputSize: modulus };
}

/** Returns a call with a signature that is valid in most cases. */
function p256Verify(random: Seeded): PrecompileCall {
  const hashed = randomBytes(random, 32);
  const secret = randomBytes(random, 32);
  secret[0] = 1;
  const signature = Buffer.from(p256.sign(hashed, secret, { prehash: false, lowS: false }));
  const input = Buffer.concat([hashed, signature, p256.getPublicKey(secret, false).subarray(1)]);
  const order = p256.Point.Fn.ORDER;
  const kind = random.below(10);
  // Replaces s by ORDER − s, which is also valid. One of the two values is above half of the order.
  if (kind < 3) input.set(hexWord(order - BigInt(`0x${input.toString('hex', 64, 96)}`)), 64);
  else if (kind === 3) input[random.below(160)]! ^= 1 << random.below(8);
  else if (kind === 4) input.set(random.pick([word(0), hexWord(order), hexWord(order - 1n)]), random.pick([32, 64]));
  else if (kind === 5) input.set(random.pick([word(0), hexWord(p256.Point.Fp.ORDER)]), random.pick([96, 128]));
  else if (kind === 6) input.fill(0, 96);
  const length = random.pick([160, 160, 160, 160, 159, 0]);
  return { address: P256_VERIFY, input: input.subarray(0, length), outputSize: 32 };
}

function blake2F(random: Seeded): PrecompileCall {
  const rounds = Buffer.alloc(4);
  rounds.writeUInt32BE(random.below(30));
  const input = Buffer.concat([rounds, randomBytes(random, 208), Uint8Array.of(random.below(2))]);
  return { address: BLAKE2F, input, outputSize: 64 };
}

function bnAdd(random: Seeded): PrecompileCall {
  const input = Buffer.concat([g1(random), g1(random), randomBytes(random, random.pick([0, 0, 5]))]);
  return { address: BN_ADD, input: cut(random, input), outputSize: 64 };
}

function bnMultiply(random: Seeded): PrecompileCall {
  const scalar = random.pick([
    () => randomBytes(random, 32),
    () => word(random.below(5)),
    () => hexWord(bn254.fields.Fr.ORDER),
    () => fromHex('ff'.repeat(32)),
  ])();
  return { address: BN_MULTIPLY, input: cut(random, Buffer.concat([g1(random), scalar])), outputSize: 64 };
}

function bnPairing(random: Seeded): PrecompileCall {
  const k = 1 + random.below(SOME);
  const input = random.pick([
    () => Buffer.alloc(0),
    // Pairs whose product is one: e(k × P, Q) × e(−P, k × Q) = 1.
    () => Buffer.concat([g1Of(BigInt(k)), g2Of(1n), g1Of(-1n), g2Of(BigInt(k))]),
    () => Buffer.concat([g1(random), g2(random)]),
    () => Buffer.concat([g1(random), g2(random), g1(random), g2(random)]),
    () => Buffer.concat([g1(random), g2(random), Buffer.alloc(1 + random.below(191))]),
  ])();
  return { address: BN_PAIRING, input, outputSize: 32 };
}

/** Shortens an input at random. A precompile reads missing bytes as zeros. */
function cut(random: Seeded, input: Uint8Array): Uint8Array {
  return random.below(4) > 0 ? input : input.subarray(0, random.below(input.length));
}

const SOME = 12;
const P = bn254.fields.Fp.ORDER;

/**
 * Encodes a point, valid in most cases. Otherwise it is infinity, a point off the curve, or has a coordinate at or
 * above the field prime.
 */
function g1(random: Seeded): Uint8Array {
  const point = g1Of(BigInt(1 + random.below(SOME)) * (random.below(2) === 0 ? 1n : -1n));
  const kind = random.below(12);
  if (kind === 0) return Buffer.alloc(64);
  if (kind === 1) return Buffer.concat([word(random.below(9)), word(random.below(9))]);
  if (kind === 2)
    return Buffer.concat([
      hexWord(BigInt(`0x${Buffer.from(point.subarray(0, 32)).toString('hex')}`) + P),
      point.subarray(32),
    ]);
  if (kind === 3) return Buffer.concat([hexWord(P), hexWord(0n)]);
  return point;
}

function g2(random: Seeded): Uint8Array {
  const kind = random.below(8);
  if (kind === 0) return Buffer.alloc(128);
  const point = g2Of(BigInt(1 + random.below(SOME)));
  if (kind === 1) point[127]! ^= 1;
  return point;
}

function g1Of(k: bigint): Buffer {
  const { x, y } = (k < 0n ? bn254.G1.Point.BASE.multiply(-k).negate() : bn254.G1.Point.BASE.multiply(k)).toAffine();
  return Buffer.concat([hexWord(x), hexWord(y)]);
}

/** Encodes k times the base point of the twist. The imaginary parts are first. */
function g2Of(k: bigint): Buffer {
  const { x, y } = bn254.G2.Point.BASE.multiply(k).toAffine();
  return Buffer.concat([x.c1, x.c0, y.c1, y.c0].map(hexWord));
}

function word(value: number): Uint8Array {
  return hexWord(BigInt(value));
}

function hexWord(value: bigint): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0'));
}
