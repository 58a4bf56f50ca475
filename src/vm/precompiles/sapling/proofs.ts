import { type Circuit, Groth16, type Groth16Claim, type Groth16Key } from '../../../crypto/wasm/bls12-381/groth16.js';
import { concatBytes, toUnsigned } from '../../../primitives/bytes.js';
import { UndecidableError } from '../../../state-transition/vm-error.js';
import { readVerifyingKey } from './groth16.js';
import {
  type JubjubPoint,
  multiplyJubjub,
  RANDOMNESS_BASE,
  SPENDING_BASE,
  VALUE_BASE,
  verifySignature,
} from './jubjub.js';
import type { Output, Spend } from './notes.js';
import { OUTPUT_KEY } from './output-key.js';

/**
 * Verifier of Sapling proofs. The program contains the verifying key of the output circuit. The configuration must
 * contain the key of the spend circuit.
 */
class Circuits {
  private readonly checker = new Groth16();
  private readonly output = this.checker.circuit(readVerifyingKey(OUTPUT_KEY));
  private readonly spend: Circuit | undefined;

  constructor(spendKey: Groth16Key | undefined) {
    this.spend = spendKey === undefined ? undefined : this.checker.circuit(spendKey);
  }

  areProven(spends: readonly Spend[], outputs: readonly Output[]): boolean {
    const { checker, output, spend } = this;
    const ofOutputs = outputs.map(claimOf(output, outputInputs));
    if (spends.length === 0) return checker.areProven(ofOutputs);
    if (spend === undefined) {
      if (!checker.areProven(ofOutputs)) return false;
      throw new UndecidableError(
        'shielded TRC20 spend: no verifying key of the spend circuit; set tronicle.sapling.spendKey to its file',
      );
    }
    return checker.areProven([...spends.map(claimOf(spend, spendInputs)), ...ofOutputs]);
  }
}

let spendKey: Groth16Key | undefined;
let circuits: Circuits | undefined;

/** Sets the verifying key of the spend circuit. @throws {RangeError | Error} the bytes are not a verifying key */
export function setSpendKey(bytes: Uint8Array): void {
  spendKey = readVerifyingKey(bytes);
  circuits = undefined;
}

/**
 * Verifies the proofs of spends and outputs, at most four, in one batch.
 * Reference: librustzcash_sapling_check_output, librustzcash_sapling_check_spend.
 * @throws {UndecidableError} there is a spend, no key of the spend circuit is configured, and the proofs of the
 * outputs are valid
 */
export function areProven(spends: readonly Spend[], outputs: readonly Output[]): boolean {
  circuits ??= new Circuits(spendKey);
  return circuits.areProven(spends, outputs);
}

function claimOf<Note extends { readonly proof: Uint8Array }>(
  circuit: Circuit,
  inputsOf: (note: Note) => bigint[],
): (note: Note) => Groth16Claim {
  return (note) => ({ circuit, proof: note.proof, inputs: inputsOf(note) });
}

function outputInputs({ commitment, value, ephemeralKey }: Output): bigint[] {
  return [...coordinates(value), ...coordinates(ephemeralKey), commitment];
}

function spendInputs({ nullifier, anchor, value, key }: Spend): bigint[] {
  return [...coordinates(key), ...coordinates(value), anchor, ...packed(nullifier)];
}

/** Verifies the signature of a spend. Reference: librustzcash_sapling_check_spend. */
export function isSpendSigned({ key, keyBytes, signature }: Spend, hash: Uint8Array): boolean {
  return verifySignature(SPENDING_BASE, key, concatBytes(keyBytes, hash), signature);
}

/** Value commitments of spends and outputs, and the balance: the spent values minus the output values. */
interface Values {
  readonly spends: readonly Pick<Spend, 'value'>[];
  readonly outputs: readonly Pick<Output, 'value'>[];
  /** Value that is paid out of the shielded pool, as a signed 64-bit number. */
  readonly balance: bigint;
}

/**
 * Verifies the binding signature. It proves that the spent values minus the output values are equal to the balance,
 * because only the owner of the randomness of all commitments can make it.
 * Reference: librustzcash_sapling_final_check.
 */
export function isBalanced({ spends, outputs, balance }: Values, hash: Uint8Array, signature: Uint8Array): boolean {
  // Multiplies by the absolute value. A negative number modulo the order would be as long as the order, so that the
  // multiplication would be slow.
  const leaving = multiplyJubjub(VALUE_BASE, balance < 0n ? -balance : balance);
  let key = balance < 0n ? leaving : leaving.negate();
  for (const { value } of spends) key = key.add(value);
  for (const { value } of outputs) key = key.subtract(value);
  return verifySignature(RANDOMNESS_BASE, key, concatBytes(key.toBytes(), hash), signature);
}

function coordinates(point: JubjubPoint): [bigint, bigint] {
  const { x, y } = point.toAffine();
  return [x, y];
}

/** Number of bits that always fit into a field element. */
const PACK_BITS = 254n;

/** Splits 256 bits into two field elements, the public inputs of a proof. Reference: multipack. */
function packed(bytes: Uint8Array): [bigint, bigint] {
  const value = toUnsigned(Uint8Array.from(bytes).reverse());
  return [value & ((1n << PACK_BITS) - 1n), value >> PACK_BITS];
}
