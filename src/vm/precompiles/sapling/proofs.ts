import { present } from '../../../domain/assert.js';
import { concatBytes, toHex } from '../../../domain/bytes.js';
import type { Groth16 } from '../../../wasm/bls12-381/groth16.js';
import { UndecidableError } from '../../native/vm-error.js';
import { readVerifyingKey } from './groth16.js';
import {
  fieldElement,
  type JubjubPoint,
  RANDOMNESS_BASE,
  readLargePoint,
  readPoint,
  SPENDING_BASE,
  times,
  VALUE_BASE,
  verifySignature,
} from './jubjub.js';
import { OUTPUT_KEY } from './output-key.js';

/** A note that is made. */
export interface Output {
  readonly commitment: Uint8Array;
  /** Commitment to its value. */
  readonly value: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly proof: Uint8Array;
}

/** A note that is spent. */
export interface Spend {
  readonly nullifier: Uint8Array;
  readonly anchor: Uint8Array;
  readonly value: Uint8Array;
  readonly key: Uint8Array;
  readonly proof: Uint8Array;
  readonly signature: Uint8Array;
}

let outputKey: Groth16 | undefined;
let spendKey: Groth16 | undefined;

/** Gives the verifying key of the spend circuit, which is not part of this program. @throws {RangeError | Error} no key */
export function setSpendKey(bytes: Uint8Array): void {
  spendKey = readVerifyingKey(bytes);
}

/** Reference: librustzcash_sapling_check_output. */
export function isOutput({ commitment, value, ephemeralKey, proof }: Output): boolean {
  const valuePoint = readLargePoint(value);
  const keyPoint = readLargePoint(ephemeralKey);
  const note = fieldElement(commitment);
  if (valuePoint === undefined || keyPoint === undefined || note === undefined) return false;
  outputKey ??= readVerifyingKey(OUTPUT_KEY);
  return outputKey.isProven(proof, [...coordinates(valuePoint), ...coordinates(keyPoint), note]);
}

/** All of a spend but its proof. Reference: librustzcash_sapling_check_spend. */
export function isSpendSigned({ anchor, value, key, signature }: Spend, hash: Uint8Array): boolean {
  const valuePoint = readLargePoint(value);
  const keyPoint = readLargePoint(key);
  if (valuePoint === undefined || keyPoint === undefined || fieldElement(anchor) === undefined) return false;
  return verifySignature(SPENDING_BASE, keyPoint, concatBytes(key, hash), signature);
}

const IS_SIGNED = 'a spend whose parts are no points or numbers is not signed';

/** The proof of a spend that `isSpendSigned` passed. @throws {UndecidableError} without the key of its circuit */
export function isSpendProven({ nullifier, anchor, value, key, proof }: Spend): boolean {
  if (spendKey === undefined) {
    throw new UndecidableError(
      'a shielded TRC20 spend needs the verifying key of the spend circuit: name its file as tronicle.sapling.spendKey',
    );
  }
  const points = [key, value].map((bytes) => present(readPoint(bytes), IS_SIGNED));
  const inputs = [...points.flatMap(coordinates), present(fieldElement(anchor), IS_SIGNED)];
  return spendKey.isProven(proof, [...inputs, ...packed(nullifier)]);
}

/**
 * Whether values add up: the signature is by a key that only who knows all commitments' randomness has.
 * Reference: librustzcash_sapling_final_check.
 * @param balance value that leaves the shielded notes, as a long
 */
export function isBalanced(
  { spends, outputs, balance }: { spends: readonly Uint8Array[]; outputs: readonly Uint8Array[]; balance: bigint },
  hash: Uint8Array,
  signature: Uint8Array,
): boolean {
  let key = times(VALUE_BASE, -balance);
  for (const [points, sign] of [
    [spends, 1n],
    [outputs, -1n],
  ] as const) {
    for (const bytes of points) {
      const point = readPoint(bytes);
      if (point === undefined) return false;
      key = sign > 0n ? key.add(point) : key.subtract(point);
    }
  }
  return verifySignature(RANDOMNESS_BASE, key, concatBytes(key.toBytes(), hash), signature);
}

function coordinates(point: JubjubPoint): [bigint, bigint] {
  const { x, y } = point.toAffine();
  return [x, y];
}

/** Bits that a field element holds for sure. */
const PACK_BITS = 254n;

/** 256 bits as two field elements. Reference: multipack. */
function packed(bytes: Uint8Array): [bigint, bigint] {
  const value = BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
  return [value & ((1n << PACK_BITS) - 1n), value >> PACK_BITS];
}
