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

/** All that is known to who makes a note. Randomness and keys are numbers below the order of Jubjub's group. */
export interface OutputWitness {
  /** In the token's unit, 64 bits. */
  readonly value: bigint;
  readonly valueRandomness: bigint;
  readonly diversifiedBase: JubjubPoint;
  /** Payment address of the note. */
  readonly paymentKey: JubjubPoint;
  readonly commitmentRandomness: bigint;
  readonly ephemeralSecret: bigint;
}

/** Base of the randomness in a commitment to a note. */
export const NOTE_RANDOMNESS_BASE = jubjub_findGroupHash(utf8('r'), utf8('Zcash_PH'));
/** Six bits that say "a note". */
export const NOTE_PREFIX: readonly boolean[] = new Array(6).fill(true);
const SCALAR_BITS = 252;
const COORDINATE_BITS = 255;

/**
 * The output circuit with its witness. The order of variables and constraints is that of the parameters.
 * Reference: sapling-crypto, Output::synthesize.
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
