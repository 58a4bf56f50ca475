import { concatBytes, fromHex } from '../../../../src/primitives/bytes.js';
import { littleEndian } from '../../../../src/vm/precompiles/sapling/coordinates.js';
import { multiplyJubjub, RANDOMNESS_BASE, VALUE_BASE } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import { noteHash } from '../../../../src/vm/precompiles/sapling/pedersen-hash.js';
import { type ProvingKey, prove } from './groth16-prover.js';
import { NOTE_RANDOMNESS_BASE, type OutputWitness, synthesizeOutput } from './output-circuit.js';
import { signJubjub } from './red-jubjub.js';

/** Public data and proof of a new note, as a precompile receives them. */
export interface ShieldedOutput {
  readonly commitment: Uint8Array;
  readonly value: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly proof: Uint8Array;
}

/** Creates a note with its proof. Computes the public data by the formulas of the protocol and not by the circuit. */
export function makeOutput(witness: OutputWitness, key: ProvingKey): ShieldedOutput {
  const note = concatBytes(
    littleEndian(witness.value).subarray(0, 8),
    witness.diversifiedBase.toBytes(),
    witness.paymentKey.toBytes(),
  );
  const hash = noteHash(note);
  const commitment = hash.add(multiplyJubjub(NOTE_RANDOMNESS_BASE, witness.commitmentRandomness)).toAffine().x;
  const proof = prove(synthesizeOutput(witness), key, { r: witness.valueRandomness ^ 5n, s: witness.value + 99n });
  return {
    commitment: littleEndian(commitment),
    value: commitValue(witness.value, witness.valueRandomness),
    ephemeralKey: multiplyJubjub(witness.diversifiedBase, witness.ephemeralSecret).toBytes(),
    proof,
  };
}

/** Returns the commitment to a value. */
export function commitValue(value: bigint, randomness: bigint): Uint8Array {
  return multiplyJubjub(VALUE_BASE, value).add(multiplyJubjub(RANDOMNESS_BASE, randomness)).toBytes();
}

export interface MintInput {
  readonly output: ShieldedOutput;
  /** Value that is paid into the pool. For an invalid call, it differs from the value of the note. */
  readonly value: bigint;
  /** Randomness in the value commitment of the note. */
  readonly valueRandomness: bigint;
  readonly frontier: readonly Uint8Array[];
  readonly leafCount: bigint;
}

const SIGN_HASH = fromHex('5a'.repeat(32));

/** Returns the input of VerifyMintProof. The signing key is the negated randomness of the value commitment. */
export function mintInput({ output, value, valueRandomness, frontier, leafCount }: MintInput): Uint8Array {
  const secret = -valueRandomness;
  const key = multiplyJubjub(RANDOMNESS_BASE, secret).toBytes();
  return concatBytes(
    output.commitment,
    output.value,
    output.ephemeralKey,
    output.proof,
    signJubjub(RANDOMNESS_BASE, secret, concatBytes(key, SIGN_HASH), 4711n),
    word(value),
    SIGN_HASH,
    ...frontier,
    word(leafCount),
  );
}

/** Encodes a number in 32 bytes, big-endian. */
export function word(value: bigint): Uint8Array {
  return littleEndian(value).reverse();
}
