import { concatBytes, fromHex } from '../../../../src/primitives/bytes.js';
import { littleEndian } from '../../../../src/vm/precompiles/sapling/coordinates.js';
import { multiplyJubjub, RANDOMNESS_BASE, VALUE_BASE } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import { noteHash } from '../../../../src/vm/precompiles/sapling/pedersen-hash.js';
import { type ProvingKey, prove } from './groth16-prover.js';
import { NOTE_RANDOMNESS_BASE, type OutputWitness, synthesizeOutput } from './output-circuit.js';
import { signJubjub } from './red-jubjub.js';

/** A note as passed to a precompile: its public data and the proof. */
export interface ShieldedOutput {
  readonly commitment: Uint8Array;
  readonly value: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly proof: Uint8Array;
}

/** Makes a note with its proof. What is public is computed from the protocol's formulas, not taken from the circuit. */
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

/** Commitment to a value. */
export function commitValue(value: bigint, randomness: bigint): Uint8Array {
  return multiplyJubjub(VALUE_BASE, value).add(multiplyJubjub(RANDOMNESS_BASE, randomness)).toBytes();
}

export interface MintInput {
  readonly output: ShieldedOutput;
  /** Paid value. It differs from that of the note in an invalid output. */
  readonly value: bigint;
  /** Randomness of the note's value commitment. */
  readonly valueRandomness: bigint;
  readonly frontier: readonly Uint8Array[];
  readonly leafCount: bigint;
}

const SIGN_HASH = fromHex('5a'.repeat(32));

/** Input of VerifyMintProof, signed with the key that only the randomness of the commitment gives. */
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

/** 32 bytes, highest first. */
export function word(value: bigint): Uint8Array {
  return littleEndian(value).reverse();
}
