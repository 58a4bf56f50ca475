import { createDecipheriv, randomBytes } from 'node:crypto';
import { jubjub, jubjub_findGroupHash, jubjub_groupHash } from '@noble/curves/misc.js';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, EMPTY_BYTES, utf8 } from '../../primitives/bytes.js';
import { littleEndian, littleEndianNumber } from '../../vm/precompiles/sapling/coordinates.js';
import { type JubjubPoint, multiplyJubjub, readPoint, SPENDING_BASE } from '../../vm/precompiles/sapling/jubjub.js';
import { noteHash } from '../../vm/precompiles/sapling/pedersen-hash.js';

/**
 * Length of a scalar, in bytes. Scalars of TRON's variant of the Sapling protocol are little-endian, and are not
 * reduced.
 */
export const SCALAR_BYTES = 32;
export const DIVERSIFIER_BYTES = 11;

const { ORDER } = jubjub.Point.Fn;
/** Base points of the elliptic curve. The search for a point takes time, so they are computed at first use. */
const bases = {
  proof: lazily(() => jubjub_findGroupHash(EMPTY_BYTES, utf8('Zcash_H_'))),
  nullifier: lazily(() => jubjub_findGroupHash(EMPTY_BYTES, utf8('Zcash_J_'))),
  commitment: lazily(() => jubjub_findGroupHash(utf8('r'), utf8('Zcash_PH'))),
};

/** Derives the keys `ask`, `nsk` and `ovk` from a spending key. Reference: SpendingKey.expandedSpendingKey. */
export function expandKey(key: Uint8Array): { ask: Uint8Array; nsk: Uint8Array; ovk: Uint8Array } {
  const expand = (kind: number): Uint8Array =>
    blake2b(concatBytes(key, Uint8Array.of(kind)), { dkLen: 64, personalization: utf8('Ztron_ExpandSeed') });
  return { ask: toScalar(expand(0)), nsk: toScalar(expand(1)), ovk: expand(2).subarray(0, 32) };
}

/** Returns the public key `ak` of a spend authorizing key. Reference: librustzcashAskToAk. */
export function spendKeyOf(ask: Uint8Array): Uint8Array {
  return multiplyJubjub(SPENDING_BASE, littleEndianNumber(ask)).toBytes();
}

/** Returns the public key `nk` of a proof authorizing key. Reference: librustzcashNskToNk. */
export function proofKeyOf(nsk: Uint8Array): Uint8Array {
  return multiplyJubjub(bases.proof(), littleEndianNumber(nsk)).toBytes();
}

/** Returns the incoming viewing key of two public keys. Reference: librustzcashCrhIvk. */
export function viewingKeyOf(ak: Uint8Array, nk: Uint8Array): Uint8Array {
  const key = blake2s(concatBytes(ak, nk), { dkLen: 32, personalization: utf8('Zcashivk') });
  key[31] = itemAt(key, 31) & 0x07;
  return key;
}

/** Returns the base point of a diversifier. About half of all diversifiers are invalid; returns undefined for these. */
export function diversifiedBase(diversifier: Uint8Array): JubjubPoint | undefined {
  try {
    return jubjub_groupHash(diversifier, utf8('Zcash_gd'));
  } catch {
    // The library throws an error if the point does not exist.
    return undefined;
  }
}

/** Returns the transmission key of an address. Reference: librustzcashIvkToPkd. */
export function transmissionKeyOf(base: JubjubPoint, viewingKey: Uint8Array): Uint8Array {
  return multiplyJubjub(base, littleEndianNumber(viewingKey)).toBytes();
}

/** Returns a random spending key. The highest four bits of its first byte are 0. Reference: SpendingKey.random. */
export function randomSpendingKey(): Uint8Array {
  const key = new Uint8Array(randomBytes(SCALAR_BYTES));
  key[0] = itemAt(key, 0) & 0x0f;
  return key;
}

export function randomDiversifier(): Uint8Array {
  for (;;) {
    const diversifier = new Uint8Array(randomBytes(DIVERSIFIER_BYTES));
    if (diversifiedBase(diversifier) !== undefined) return diversifier;
  }
}

/** Returns a random scalar. Reference: librustzcashSaplingGenerateR. */
export function randomScalar(): Uint8Array {
  return toScalar(randomBytes(64));
}

/** Signs the spending of a note with a randomized key. Reference: librustzcashSaplingSpendSig. */
export function signSpend(ask: Uint8Array, alpha: Uint8Array, hash: Uint8Array): Uint8Array {
  const key = (littleEndianNumber(ask) + littleEndianNumber(alpha)) % ORDER;
  const message = concatBytes(multiplyJubjub(SPENDING_BASE, key).toBytes(), hash);
  const nonce = hashToNumber(randomBytes(80), message) % ORDER;
  const point = multiplyJubjub(SPENDING_BASE, nonce).toBytes();
  const s = (nonce + hashToNumber(point, message) * key) % ORDER;
  return concatBytes(point, littleEndian(s));
}

interface ViewingKey {
  readonly ak: Uint8Array;
  readonly nk: Uint8Array;
}

interface NoteContent {
  readonly diversifier: Uint8Array;
  readonly transmissionKey: Uint8Array;
  readonly value: bigint;
  readonly rcm: Uint8Array;
}

/** Returns the commitment of a note; undefined if the note is invalid. Reference: librustzcashComputeCm. */
export function noteCommitment(note: NoteContent): Uint8Array | undefined {
  const point = commitmentPoint(note);
  return point && littleEndian(point.toAffine().x);
}

/**
 * Returns the nullifier of a note. A published nullifier marks its note as spent. Returns undefined if the note or the
 * keys are invalid. Reference: librustzcashComputeNf.
 */
export function noteNullifier(note: NoteContent, { ak, nk }: ViewingKey, position: bigint): Uint8Array | undefined {
  const point = commitmentPoint(note);
  if (point === undefined || readPoint(ak) === undefined || readPoint(nk) === undefined) return undefined;
  const rho = point.add(multiplyJubjub(bases.nullifier(), position)).toBytes();
  return blake2s(concatBytes(nk, rho), { dkLen: 32, personalization: utf8('Zcash_nf') });
}

/** Returns the shared point of a key agreement; undefined if the key is invalid. Reference: librustzcashKaAgree. */
export function agreedKey(key: Uint8Array, scalar: Uint8Array): Uint8Array | undefined {
  const point = readPoint(key);
  return point && multiplyJubjub(point.clearCofactor(), littleEndianNumber(scalar)).toBytes();
}

/** Returns a BLAKE2b hash of 32 bytes. @param name personalization of the hash, defined by TRON */
export function namedHash(name: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return blake2b(concatBytes(...parts), { dkLen: 32, personalization: utf8(name) });
}

const TAG_BYTES = 16;
export const NONCE_BYTES = 12;

/** Decrypts a text with ChaCha20-Poly1305. Returns undefined if the key is wrong or the text was changed. */
export function decrypt(
  key: Uint8Array,
  cipher: Uint8Array,
  nonce: Uint8Array = new Uint8Array(NONCE_BYTES),
): Uint8Array | undefined {
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(cipher.subarray(-TAG_BYTES));
  const text = decipher.update(cipher.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
    return text;
  } catch {
    // A wrong authentication tag means that the text was not encrypted with this key, or was changed.
    return undefined;
  }
}

function commitmentPoint({ diversifier, transmissionKey, value, rcm }: NoteContent): JubjubPoint | undefined {
  const base = diversifiedBase(diversifier);
  const scalar = littleEndianNumber(rcm);
  if (base === undefined || readPoint(transmissionKey) === undefined || scalar >= ORDER) return undefined;
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(BigInt.asUintN(64, value));
  const content = concatBytes(amount, base.toBytes(), transmissionKey);
  return noteHash(content).add(multiplyJubjub(bases.commitment(), scalar));
}

function toScalar(wide: Uint8Array): Uint8Array {
  return littleEndian(littleEndianNumber(wide) % ORDER);
}

function hashToNumber(...parts: readonly Uint8Array[]): bigint {
  return littleEndianNumber(blake2b(concatBytes(...parts), { dkLen: 64, personalization: utf8('Zcash_RedJubjubH') }));
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
