import { fieldElement, type JubjubPoint, readLargePoint } from './jubjub.js';

/** A created note, as the input of a precompile encodes it. */
interface OutputBytes {
  readonly commitment: Uint8Array;
  /** Commitment to the note's value. */
  readonly value: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly proof: Uint8Array;
}

export interface Output {
  readonly commitment: bigint;
  readonly value: JubjubPoint;
  readonly ephemeralKey: JubjubPoint;
  readonly proof: Uint8Array;
}

/**
 * Decodes an output. Reference: librustzcash_sapling_check_output.
 * @returns undefined if a number or a point is invalid, or if a point has small order
 */
export function readOutput({ proof, ...bytes }: OutputBytes): Output | undefined {
  const commitment = fieldElement(bytes.commitment);
  const value = readLargePoint(bytes.value);
  const ephemeralKey = readLargePoint(bytes.ephemeralKey);
  if (commitment === undefined || value === undefined || ephemeralKey === undefined) return undefined;
  return { commitment, value, ephemeralKey, proof };
}

/** A spent note, as the input of a precompile encodes it. */
interface SpendBytes {
  readonly nullifier: Uint8Array;
  readonly anchor: Uint8Array;
  /** Commitment to the note's value. */
  readonly value: Uint8Array;
  readonly key: Uint8Array;
  readonly proof: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Spend {
  readonly nullifier: Uint8Array;
  readonly anchor: bigint;
  readonly value: JubjubPoint;
  readonly key: JubjubPoint;
  /** Encoding of `key`. It is part of the signed message. */
  readonly keyBytes: Uint8Array;
  readonly proof: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Decodes a spend. Reference: librustzcash_sapling_check_spend.
 * @returns undefined if a number or a point is invalid, or if a point has small order
 */
export function readSpend({ nullifier, proof, signature, ...bytes }: SpendBytes): Spend | undefined {
  const anchor = fieldElement(bytes.anchor);
  const value = readLargePoint(bytes.value);
  const key = readLargePoint(bytes.key);
  if (anchor === undefined || value === undefined || key === undefined) return undefined;
  return { nullifier, anchor, value, key, keyBytes: bytes.key, proof, signature };
}
