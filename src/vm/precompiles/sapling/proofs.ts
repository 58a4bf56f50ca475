import { present } from '../../../domain/assert.js';
import { concatBytes, toHex } from '../../../domain/bytes.js';
import { type Circuit, type Claim, Groth16, type Groth16Key } from '../../../wasm/bls12-381/groth16.js';
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

/** The circuits of Sapling, whose tables are made when a proof is given. The key of spends is not part of this program. */
class Circuits {
  readonly groth16 = new Groth16();
  readonly output = this.groth16.circuit(readVerifyingKey(OUTPUT_KEY));
  readonly spend: Circuit | undefined;

  constructor(spendKey: Groth16Key | undefined) {
    this.spend = spendKey === undefined ? undefined : this.groth16.circuit(spendKey);
  }
}

let spendKey: Groth16Key | undefined;
let circuits: Circuits | undefined;

/** Gives the verifying key of the spend circuit. @throws {RangeError | Error} no key */
export function setSpendKey(bytes: Uint8Array): void {
  spendKey = readVerifyingKey(bytes);
  circuits = undefined;
}

/**
 * Whether the proofs of outputs, and of spends that `isSpendSigned` passed, hold: four together at most, which are checked at once.
 * Reference: librustzcash_sapling_check_output, librustzcash_sapling_check_spend.
 * @throws {UndecidableError} a spend, without the key of its circuit, whose outputs hold
 */
export function areProven(spends: readonly Spend[], outputs: readonly Output[]): boolean {
  circuits ??= new Circuits(spendKey);
  const { groth16, spend: circuit } = circuits;
  const claims: Claim[] = [];
  for (const { proof, ...output } of outputs) {
    const inputs = outputInputs(output);
    if (inputs === undefined) return false;
    claims.push({ circuit: circuits.output, proof, inputs });
  }
  if (spends.length === 0) return groth16.areProven(claims);
  if (circuit === undefined) {
    if (!groth16.areProven(claims)) return false;
    throw new UndecidableError(
      'a shielded TRC20 spend needs the verifying key of the spend circuit: name its file as tronicle.sapling.spendKey',
    );
  }
  return groth16.areProven([
    ...spends.map((spend) => ({ circuit, proof: spend.proof, inputs: spendInputs(spend) })),
    ...claims,
  ]);
}

function outputInputs({ commitment, value, ephemeralKey }: Omit<Output, 'proof'>): bigint[] | undefined {
  const valuePoint = readLargePoint(value);
  const keyPoint = readLargePoint(ephemeralKey);
  const note = fieldElement(commitment);
  if (valuePoint === undefined || keyPoint === undefined || note === undefined) return undefined;
  return [...coordinates(valuePoint), ...coordinates(keyPoint), note];
}

/** All of a spend but its proof. Reference: librustzcash_sapling_check_spend. */
export function isSpendSigned({ anchor, value, key, signature }: Spend, hash: Uint8Array): boolean {
  const valuePoint = readLargePoint(value);
  const keyPoint = readLargePoint(key);
  if (valuePoint === undefined || keyPoint === undefined || fieldElement(anchor) === undefined) return false;
  return verifySignature(SPENDING_BASE, keyPoint, concatBytes(key, hash), signature);
}

const IS_SIGNED = 'a spend whose parts are no points or numbers is not signed';

function spendInputs({ nullifier, anchor, value, key }: Spend): bigint[] {
  const points = [key, value].map((bytes) => present(readPoint(bytes), IS_SIGNED));
  return [...points.flatMap(coordinates), present(fieldElement(anchor), IS_SIGNED), ...packed(nullifier)];
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
  // A small number, where that of the same sign modulo the order is a long one.
  const leaving = times(VALUE_BASE, balance < 0n ? -balance : balance);
  let key = balance < 0n ? leaving : leaving.negate();
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
