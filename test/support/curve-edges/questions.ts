import { sha256 } from '../../../src/crypto/hash.js';
import { addressOfKey } from '../../../src/crypto/key-address.js';
import { secp256k1 } from '../../../src/crypto/secp256k1.js';
import { concatBytes, fromHex, toHex } from '../../../src/primitives/bytes.js';
import { ChainError } from '../../../src/state-transition/errors.js';
import { recoverSigner } from '../../../src/state-transition/transactions/recover-signer.js';
import type { Random } from '../../fuzz/random.js';
import { INFINITY_ADDRESS } from '../signatures/infinity-signature.js';
import { oddG1, oddG2 } from './odd-points.js';
import { KEYS, type OddSignature, oddHash, oddSignature } from './odd-signatures.js';
import { oddNumber, word } from './scalars.js';

const PREFIX = 0x41;
const INFINITY = fromHex(INFINITY_ADDRESS);
const ADDRESSES = KEYS.map((key) => addressOfKey(secp256k1.publicKeyOf(key), PREFIX));

/** Kinds of request lines, with their share per thousand. Kinds that are slow in java-tron are rare. */
const KINDS: readonly (readonly [share: number, make: (random: Random) => string])[] = [
  [220, (random) => keyQuestion('key', random)],
  [40, weighQuestion],
  [240, ecRecoverQuestion],
  [100, batchQuestion],
  [100, multiQuestion],
  [130, (random) => `run:06:${cut(random, concatBytes(oddG1(random), oddG1(random)))}`],
  [40, (random) => `run:07:${cut(random, concatBytes(oddG1(random), word(oddNumber(random))))}`],
  [5, pairingQuestion],
  [95, modExpQuestion],
  [30, merkleQuestion],
];
const SHARES = KINDS.reduce((sum, [share]) => sum + share, 0);

/**
 * Returns a random request line about edge cases of a curve. `test/reliability/reference/CurveEdges.java` describes the
 * form of the line.
 */
export function randomQuestion(random: Random): string {
  let left = random.below(SHARES);
  for (const [share, make] of KINDS) {
    if (left < share) return make(random);
    left -= share;
  }
  throw new RangeError('the shares do not add up');
}

/**
 * Returns a request line for the recovered key of a signature, or the weight of its signer.
 * @param rest bytes of the signature after the first 65
 */
function keyQuestion(kind: 'key' | 'weigh', random: Random, rest: Uint8Array = tail(random)): string {
  const { hash, rs, recovery } = oddSignature(random);
  const header = random.chance(0.7) ? recovery + random.pick([0, 27, 31]) : random.below(256);
  return `${kind}:${toHex(hash)}:${toHex(concatBytes(rs, Uint8Array.of(header), rest))}`;
}

function tail(random: Random): Uint8Array {
  return random.chance(0.9) ? new Uint8Array(0) : random.bytes(random.below(70));
}

/** Returns a request line for the weight of signatures of any length. */
function weighQuestion(random: Random): string {
  const question = keyQuestion('weigh', random);
  return random.chance(0.5) ? question : question.slice(0, 'weigh:'.length + 65 + 2 * random.below(66));
}

function ecRecoverQuestion(random: Random): string {
  const { hash, rs, recovery } = oddSignature(random);
  const v = word(random.chance(0.7) ? 27 + recovery : random.below(256));
  if (random.chance(0.05)) v[random.below(31)] = 1 + random.below(255);
  return `run:01:${cut(random, concatBytes(hash, v, rs))}`;
}

/**
 * Returns a call of the precompile that verifies a batch of signatures. Each address is the recovered signer, or the
 * address of the point at infinity.
 */
function batchQuestion(random: Random): string {
  const hash = oddHash(random);
  const signatures = Array.from({ length: random.pick([1, 1, 2, 3, 16, 17]) }, () => oddSignature(random, hash));
  const items = signatureArray(signatures.map((signature) => withHeader(signature, random)));
  const addresses = signatures.map((signature) => random.pick([signerOr(signature), signerOr(signature), INFINITY]));
  if (random.chance(0.02)) addresses.pop();
  const list = concatBytes(word(addresses.length), ...addresses.map(addressWord));
  return `run:09:${cut(random, concatBytes(hash, word(96), word(96 + items.length), items, list))}`;
}

/**
 * Returns a call of the precompile that verifies multi-signatures. It has a signature with values at limits, and
 * sometimes a signature by a known key. In most cases, the keys of the permission are the recovered signers. No key
 * occurs twice, because java-tron's result for two signatures of one key depends on the clock.
 */
function multiQuestion(random: Random): string {
  const [owner, content] = [random.bytes(20), oddHash(random)];
  const hash = sha256(concatBytes(Uint8Array.of(PREFIX), owner, new Uint8Array(4), content));
  const odd = oddSignature(random, hash);
  const keys = [random.chance(0.9) ? signerOr(odd) : INFINITY];
  const signatures = [withHeader(odd, random)];
  const other = random.below(KEYS.length);
  const [key, address] = [KEYS[other], ADDRESSES[other]];
  if (random.chance(0.3) && key !== undefined && address !== undefined && toHex(signerOr(odd)) !== toHex(address)) {
    const { signature, recid } = secp256k1.sign(hash, key);
    signatures.push(concatBytes(signature, Uint8Array.of(recid)));
    keys.push(address);
  }
  const head = concatBytes(new Uint8Array(12), owner, word(0), content, word(128));
  return `multi:${keys.map(toHex).join(',')}:${cut(random, concatBytes(head, signatureArray(signatures)))}`;
}

/** Returns the encoded signature. It has 65 bytes, but in rare cases fewer or more. */
function withHeader({ rs, recovery }: OddSignature, random: Random): Uint8Array {
  const header = random.chance(0.9) ? recovery + random.pick([0, 27]) : random.below(256);
  const whole = concatBytes(rs, Uint8Array.of(header), tail(random));
  return random.chance(0.95) ? whole : whole.subarray(0, random.below(66));
}

/** Returns the recovered signer. If recovery fails, returns the address of the point at infinity. */
function signerOr({ hash, rs, recovery }: OddSignature): Uint8Array {
  try {
    return recoverSigner(hash, concatBytes(rs, Uint8Array.of(recovery)), PREFIX);
  } catch (error) {
    if (error instanceof ChainError) return INFINITY;
    throw error;
  }
}

function addressWord(address: Uint8Array): Uint8Array {
  return concatBytes(new Uint8Array(12), address.subarray(1));
}

/**
 * Encodes an array of byte strings as ABI data: the number of elements, their offsets, then for each element its
 * length and its padded bytes.
 */
function signatureArray(signatures: readonly Uint8Array[]): Uint8Array {
  const items = signatures.map((bytes) => {
    const padded = new Uint8Array(Math.ceil(bytes.length / 32) * 32);
    padded.set(bytes);
    return concatBytes(word(bytes.length), padded);
  });
  const sizes = items.map(({ length }) => length);
  const offsets = items.map((_, at) =>
    word(32 * items.length + sizes.slice(0, at).reduce((sum, size) => sum + size, 0)),
  );
  return concatBytes(word(items.length), ...offsets, ...items);
}

/**
 * Returns a call of the pairing precompile with up to three pairs of odd points. In rare cases, the input is shortened
 * or extended.
 */
function pairingQuestion(random: Random): string {
  const pairs = Array.from({ length: random.below(4) }, () => concatBytes(oddG1(random), oddG2(random)));
  return `run:08:${cut(random, concatBytes(...pairs))}`;
}

/** Returns a call that hashes two nodes of the note tree on Jubjub. Some nodes are at or above the field prime. */
function merkleQuestion(random: Random): string {
  const level = random.chance(0.8) ? BigInt(random.below(66)) : oddNumber(random);
  const [left, right] = [0, 1].map(() => word(oddNumber(random)).reverse());
  return `run:01000004:${cut(random, concatBytes(word(level), left ?? word(0), right ?? word(0)))}`;
}

const LENGTHS = [0, 1, 2, 31, 32, 33, 64, 65];

/**
 * Returns a call of modular exponentiation with numbers near limits. In rare cases, a length field does not equal the
 * length of its number.
 */
function modExpQuestion(random: Random): string {
  const parts = Array.from({ length: 3 }, () => {
    const length = random.pick(LENGTHS);
    const number = random.chance(0.7) ? word(oddNumber(random)) : random.bytes(32);
    const bytes = new Uint8Array(length);
    bytes.set(number.subarray(Math.max(0, 32 - length)), Math.max(0, length - 32));
    return bytes;
  });
  const lengths = parts.map(({ length }) => word(random.chance(0.95) ? length : random.pick([...LENGTHS, 255, 1024])));
  return `run:05:${cut(random, concatBytes(...lengths, ...parts))}`;
}

/** Returns the input in hex. In rare cases, it is shortened or extended. */
function cut(random: Random, input: Uint8Array): string {
  const kind = random.below(20);
  if (kind === 0) return toHex(input.subarray(0, random.below(input.length + 1)));
  return toHex(kind === 1 ? concatBytes(input, random.bytes(random.below(40))) : input);
}
