import { jubjub_findGroupHash } from '@noble/curves/misc.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { type JubjubPoint, RANDOMNESS_BASE, VALUE_BASE } from '../../../../src/vm/precompiles/sapling/jubjub.js';
import { allocateBit, allocateBits, constantBit, expose } from './bit-gadgets.js';
import { ConstraintSystem } from './constraint-system.js';
import {
  add,
  allocatePoint,
  assertLargeOrder,
  exposePoint,
  multiplyFixed,
  multiplyPoint,
  pointBits,
} from './curve-gadgets.js';
import { pedersenHashInCircuit } from './pedersen-gadget.js';

/** Secrets of the creator of a note. Randomness and keys are numbers below the order of Jubjub's group. */
export interface OutputWitness {
  /** Value of the note in units of the token, 64 bits. */
  readonly value: bigint;
  readonly valueRandomness: bigint;
  readonly diversifiedBase: JubjubPoint;
  /** Public key of the note's payment address. */
  readonly paymentKey: JubjubPoint;
  readonly commitmentRandomness: bigint;
  readonly ephemeralSecret: bigint;
}

/** Base point for the randomness in the commitment of a note. */
export const NOTE_RANDOMNESS_BASE = jubjub_findGroupHash(utf8('r'), utf8('Zcash_PH'));
/** Six bits before the hashed data that identify the data as a note. */
export const NOTE_PREFIX: readonly boolean[] = new Array(6).fill(true);
const SCALAR_BITS = 252;
const COORDINATE_BITS = 255;

/**
 * Builds the output circuit with its witness. The order of variables and constraints is that of the published
 * parameters. Reference: sapling-crypto, Output::synthesize.
 */
export function synthesizeOutput(witness: OutputWitness): ConstraintSystem {
  const system = new ConstraintSystem();
  const valueBits = allocateBits(system, witness.value, 64);
  const valuePoint = multiplyFixed(system, VALUE_BASE, valueBits);
  const valueRandomness = allocateBits(system, witness.valueRandomness, SCALAR_BITS);
  const randomness = multiplyFixed(system, RANDOMNESS_BASE, valueRandomness);
  exposePoint(system, add(system, valuePoint, randomness));

  const base = allocatePoint(system, witness.diversifiedBase);
  assertLargeOrder(system, base);
  const baseBits = pointBits(system, base);
  const secret = allocateBits(system, witness.ephemeralSecret, SCALAR_BITS);
  exposePoint(system, multiplyPoint(system, base, secret));

  const { x, y } = witness.paymentKey.toAffine();
  const keyBits = [...allocateBits(system, y, COORDINATE_BITS), allocateBit(system, (x & 1n) === 1n)];

  const note = [...NOTE_PREFIX.map(constantBit), ...valueBits, ...baseBits, ...keyBits];
  const hash = pedersenHashInCircuit(system, note);
  const commitmentRandomness = allocateBits(system, witness.commitmentRandomness, SCALAR_BITS);
  const blinding = multiplyFixed(system, NOTE_RANDOMNESS_BASE, commitmentRandomness);
  expose(system, add(system, hash, blinding).u);
  return system;
}
