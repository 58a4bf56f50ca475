import {
  Groth16,
  type Groth16Claim,
  type Groth16Key,
  type ProofChecker,
} from '../../../crypto/wasm/bls12-381/groth16.js';
import { roundsOnce } from '../../../crypto/wasm/rounds-once.js';
import { concatBytes, toHex } from '../../../primitives/bytes.js';
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
import { PlainGroth16 } from './plain-groth16.js';

/**
 * The circuits of Sapling, whose tables are made when a proof is given. The key of spends is not part of this program.
 */
class Circuits<Of> {
  private readonly checker: ProofChecker<Of>;
  private readonly output: Of;
  private readonly spend: Of | undefined;

  constructor(checker: ProofChecker<Of>, spendKey: Groth16Key | undefined) {
    this.checker = checker;
    this.output = checker.circuit(readVerifyingKey(OUTPUT_KEY));
    this.spend = spendKey === undefined ? undefined : checker.circuit(spendKey);
  }

  areProven(spends: readonly Spend[], outputs: readonly Output[]): boolean {
    const { checker, output, spend } = this;
    const ofOutputs = outputs.map(claimOf(output, outputInputs));
    if (spends.length === 0) return checker.areProven(ofOutputs);
    if (spend === undefined) {
      if (!checker.areProven(ofOutputs)) return false;
      throw new UndecidableError(
        'a shielded TRC20 spend needs the verifying key of the spend circuit: name its file as tronicle.sapling.spendKey',
      );
    }
    return checker.areProven([...spends.map(claimOf(spend, spendInputs)), ...ofOutputs]);
  }
}

let spendKey: Groth16Key | undefined;
let circuits: Pick<Circuits<unknown>, 'areProven'> | undefined;

/** Gives the verifying key of the spend circuit. @throws {RangeError | Error} no key */
export function setSpendKey(bytes: Uint8Array): void {
  spendKey = readVerifyingKey(bytes);
  circuits = undefined;
}

/**
 * Whether the proofs of spends and outputs hold: four together at most, which are checked at once.
 * Reference: librustzcash_sapling_check_output, librustzcash_sapling_check_spend.
 * @throws {UndecidableError} a spend, without the key of its circuit, whose outputs hold
 */
export function areProven(spends: readonly Spend[], outputs: readonly Output[]): boolean {
  circuits ??= roundsOnce() ? new Circuits(new Groth16(), spendKey) : new Circuits(new PlainGroth16(), spendKey);
  return circuits.areProven(spends, outputs);
}

function claimOf<Of, Note extends { readonly proof: Uint8Array }>(
  circuit: Of,
  inputsOf: (note: Note) => bigint[],
): (note: Note) => Groth16Claim<Of> {
  return (note) => ({ circuit, proof: note.proof, inputs: inputsOf(note) });
}

function outputInputs({ commitment, value, ephemeralKey }: Output): bigint[] {
  return [...coordinates(value), ...coordinates(ephemeralKey), commitment];
}

function spendInputs({ nullifier, anchor, value, key }: Spend): bigint[] {
  return [...coordinates(key), ...coordinates(value), anchor, ...packed(nullifier)];
}

/** Reference: librustzcash_sapling_check_spend. */
export function isSpendSigned({ key, keyBytes, signature }: Spend, hash: Uint8Array): boolean {
  return verifySignature(SPENDING_BASE, key, concatBytes(keyBytes, hash), signature);
}

/** What adds up to what leaves. */
interface Values {
  readonly spends: readonly Pick<Spend, 'value'>[];
  readonly outputs: readonly Pick<Output, 'value'>[];
  /** Value that leaves the shielded notes, as a long. */
  readonly balance: bigint;
}

/**
 * Whether values add up: the signature is by a key that only who knows all commitments' randomness has.
 * Reference: librustzcash_sapling_final_check.
 */
export function isBalanced({ spends, outputs, balance }: Values, hash: Uint8Array, signature: Uint8Array): boolean {
  // A small number, where that of the same sign modulo the order is a long one.
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

/** Bits that a field element holds for sure. */
const PACK_BITS = 254n;

/** 256 bits as two field elements. Reference: multipack. */
function packed(bytes: Uint8Array): [bigint, bigint] {
  const value = BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);
  return [value & ((1n << PACK_BITS) - 1n), value >> PACK_BITS];
}
