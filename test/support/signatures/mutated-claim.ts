import { loadNative } from '../../../src/crypto/secp256k1.js';
import { Claims, type SignatureClaim } from '../../../src/crypto/wasm/secp256k1/claims.js';
import { present } from '../../../src/primitives/assert.js';
import { equalBytes, fromHex } from '../../../src/primitives/bytes.js';
import type { Random } from '../../fuzz/random.js';

const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;
const PRIME = 2n ** 256n - 2n ** 32n - 977n;
export const native = loadNative();

/**
 * Creates a batch that verifies signatures with the native library.
 * @param random source of the coefficients, seeded or unpredictable
 */
export function nativeClaims(max: number, random: (bytes: Uint8Array) => void): Claims {
  return new Claims(max, { random, timesBase: (scalar) => native.publicKeyOf(scalar) });
}

export function toBytes(value: bigint): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0'));
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Returns true if the claim is valid: recovery of the signature returns the key of the claim. */
export function holds({ hash, signature, isOdd, key }: SignatureClaim): boolean {
  try {
    return equalBytes(native.recover(signature.slice(0, 64), isOdd ? 1 : 0, hash), key);
  } catch {
    return false;
  }
}

/**
 * Returns true if the hash is a multiple of the group order. The term of the base point is then zero, so the recovered
 * key depends only on the signature.
 */
export function isMultipleOfOrder(hash: Uint8Array): boolean {
  return toNumber(hash) % ORDER === 0n;
}

/** Returns a valid claim. @param key private key, 32 bytes */
export function soundClaim(random: Random, key = random.bytes(32)): SignatureClaim {
  const hash = random.bytes(32);
  const { signature, recid } = native.sign(hash, key);
  return recid > 1
    ? soundClaim(random, key)
    : { hash, signature: Uint8Array.from(signature), isOdd: recid === 1, key: native.publicKeyOf(key) };
}

const EDGES = [
  0n,
  1n,
  2n,
  5n,
  ORDER - 1n,
  ORDER,
  ORDER + 1n,
  ORDER / 2n,
  ORDER / 2n + 1n,
  PRIME - 1n,
  PRIME,
  2n ** 256n - 1n,
];

const flipped = (random: Random, bytes: Uint8Array): Uint8Array => {
  const out = Uint8Array.from(bytes);
  const at = random.below(out.length);
  out[at] = present(out[at], 'the index is below the length') ^ (1 << random.below(8));
  return out;
};

const withParts = (claim: SignatureClaim, { r, s }: { r?: Uint8Array; s?: Uint8Array }): SignatureClaim => {
  const signature = Uint8Array.from(claim.signature);
  if (r !== undefined) signature.set(r);
  if (s !== undefined) signature.set(s, 32);
  return { ...claim, signature };
};

const opposite = ({ key }: SignatureClaim): Uint8Array => {
  const out = Uint8Array.from(key);
  out.set(toBytes(PRIME - toNumber(key.subarray(33))), 33);
  return out;
};

/** Changes of a claim, by name. Some of them leave the claim valid. */
const MUTATIONS: Readonly<Record<string, (claim: SignatureClaim, random: Random) => SignatureClaim>> = {
  none: (claim) => claim,
  'a bit of the hash': (claim, random) => ({ ...claim, hash: flipped(random, claim.hash) }),
  'a bit of the signature': (claim, random) => ({ ...claim, signature: flipped(random, claim.signature) }),
  parity: (claim) => ({ ...claim, isOdd: !claim.isOdd }),
  'another key': (claim, random) => ({ ...claim, key: native.publicKeyOf(random.bytes(32)) }),
  'the opposite key': (claim) => ({ ...claim, key: opposite(claim) }),
  'high s': (claim) => withParts(claim, { s: toBytes(ORDER - toNumber(claim.signature.subarray(32, 64))) }),
  'high s and the other parity': (claim) => ({
    ...withParts(claim, { s: toBytes(ORDER - toNumber(claim.signature.subarray(32, 64))) }),
    isOdd: !claim.isOdd,
  }),
  'r at an edge': (claim, random) => withParts(claim, { r: toBytes(random.pick(EDGES)) }),
  's at an edge': (claim, random) => withParts(claim, { s: toBytes(random.pick(EDGES)) }),
  'hash at an edge': (claim, random) => ({ ...claim, hash: toBytes(random.pick(EDGES)) }),
  'random numbers, with the recovered key': (_claim, random) => {
    const hash = random.chance(0.5) ? random.bytes(32) : toBytes(random.pick(EDGES));
    const s = random.chance(0.5) ? random.bytes(32) : toBytes(random.pick(EDGES));
    const claim = { hash, signature: Uint8Array.from([...random.bytes(32), ...s]), isOdd: random.chance(0.5) };
    try {
      return { ...claim, key: native.recover(claim.signature, claim.isOdd ? 1 : 0, hash) };
    } catch {
      return { ...claim, key: native.publicKeyOf(toBytes(1n)) };
    }
  },
  'the key is the base point': (claim) => ({ ...claim, key: native.publicKeyOf(toBytes(1n)) }),
  'the nonce is the private key': (_claim, random) => ({ ...soundClaim(random), key: native.publicKeyOf(toBytes(3n)) }),
};
export const MUTATION_NAMES: readonly string[] = Object.keys(MUTATIONS);

export function mutated(name: string, claim: SignatureClaim, random: Random): SignatureClaim {
  return present(MUTATIONS[name], 'the name exists')(claim, random);
}
