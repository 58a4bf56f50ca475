import { bls12_381 } from '@noble/curves/bls12-381.js';
import { itemAt } from '../../../domain/assert.js';
import { fromHex } from '../../../domain/bytes.js';
import { onFirstUse } from '../../../domain/on-first-use.js';
import { bls12381 } from '../curves/bls12-381.js';
import { FR_BYTES, G1_BYTES, G2_BYTES, GT_BYTES, type Pointer } from '../curves/mcl.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const G1_FILE_BYTES = 96;
const G2_FILE_BYTES = 192;
const COUNT_BYTES = 4;

/** What a proof of one circuit is checked with: points in the library's memory. */
export interface VerifyingKey {
  /** The Miller loop of -alpha and beta. */
  readonly alphaBeta: Pointer;
  /** The lines of the Miller loops with gamma and delta. */
  readonly gamma: Pointer;
  readonly delta: Pointer;
  /** One point for the constant, one for each public input, behind each other. */
  readonly inputs: Pointer;
  readonly inputCount: number;
}

/**
 * Reads a key as the `bellman` crate writes it; what stands behind it is ignored. Points of a file are not compressed, which only the
 * slower library reads.
 * @throws {RangeError | Error} no key
 */
export function readVerifyingKey(bytes: Uint8Array): VerifyingKey {
  const mcl = bls12381();
  let at = 0;
  const take = (size: number) => {
    if (at + size > bytes.length) throw new RangeError('the verifying key ends early');
    at += size;
    return Uint8Array.from(bytes.subarray(at - size, at));
  };
  const g1 = () => G1.fromBytes(take(G1_FILE_BYTES));
  const g2 = () => placed(G2.fromBytes(take(G2_FILE_BYTES)).toBytes(true), readG2, G2_BYTES);
  const minusAlpha = placed(g1().negate().toBytes(true), readG1, G1_BYTES);
  take(G1_FILE_BYTES);
  const beta = g2();
  const gamma = g2();
  take(G1_FILE_BYTES);
  const delta = g2();
  const alphaBeta = mcl.room(GT_BYTES);
  mcl.call.mclBn_millerLoop(alphaBeta, minusAlpha, beta);
  const inputCount = Buffer.from(take(COUNT_BYTES)).readUInt32BE();
  const points = Array.from({ length: inputCount }, () => placed(g1().toBytes(true), readG1, G1_BYTES));
  const inputs = mcl.room(inputCount * G1_BYTES);
  for (const [i, point] of points.entries()) mcl.copy(inputs + i * G1_BYTES, point, G1_BYTES);
  return { alphaBeta, gamma: linesOf(gamma), delta: linesOf(delta), inputs, inputCount };
}

function linesOf(twistPoint: Pointer): Pointer {
  const mcl = bls12381();
  const lines = mcl.room(8 * mcl.call.mclBn_getUint64NumToPrecompute());
  mcl.call.mclBn_precomputeG2(lines, twistPoint);
  return lines;
}

/** Public inputs of the circuits that there are, and the constant. */
const INPUTS_MAX = 8;
/** Room that proofs are checked in. */
const places = onFirstUse(() => {
  const mcl = bls12381();
  return {
    a: mcl.room(G1_BYTES),
    b: mcl.room(G2_BYTES),
    c: mcl.room(G1_BYTES),
    sum: mcl.room(G1_BYTES),
    scalars: mcl.room(INPUTS_MAX * FR_BYTES),
    product: mcl.room(GT_BYTES),
    factor: mcl.room(GT_BYTES),
  };
});

/** Whether a proof (192 bytes: two points of G1 around one of G2) shows what the public inputs say. */
export function verifyProof(key: VerifyingKey, proof: Uint8Array, inputs: readonly bigint[]): boolean {
  if (inputs.length + 1 !== key.inputCount || key.inputCount > INPUTS_MAX) return false;
  const mcl = bls12381();
  const { a, b, c, sum, scalars, product, factor } = places();
  if (!readG1(a, proof.subarray(0, 48))) return false;
  if (!readG2(b, proof.subarray(48, 144))) return false;
  if (!readG1(c, proof.subarray(144, 192))) return false;
  for (const [i, input] of [1n, ...inputs].entries()) {
    mcl.setScalar(scalars + i * FR_BYTES, fromHex(input.toString(16).padStart(64, '0')));
  }
  mcl.call.mclBnG1_mulVec(sum, key.inputs, scalars, key.inputCount);
  mcl.call.mclBnG1_neg(sum, sum);
  mcl.call.mclBnG1_neg(c, c);
  // A pair with an infinity is 1, which the library does not see when it has the lines.
  if (mcl.call.mclBnG1_isZero(sum) === 1) mcl.call.mclBn_millerLoop(product, a, b);
  else mcl.call.mclBn_precomputedMillerLoop2mixed(product, a, b, sum, key.gamma);
  mcl.call.mclBn_precomputedMillerLoop(factor, c, key.delta);
  mcl.call.mclBnGT_mul(product, product, factor);
  mcl.call.mclBnGT_mul(product, product, key.alphaBeta);
  mcl.call.mclBn_finalExp(product, product);
  return mcl.call.mclBnGT_isOne(product) === 1;
}

/** First byte of a compressed point: that it is one, and that it is infinity. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;

/** @returns false for what is no point of the group, and for infinity */
function readG1(to: Pointer, bytes: Uint8Array): boolean {
  const mcl = bls12381();
  return isPlain(bytes) && mcl.call.mclBnG1_deserialize(to, mcl.give(bytes), bytes.length) === bytes.length;
}

function readG2(to: Pointer, bytes: Uint8Array): boolean {
  const mcl = bls12381();
  return isPlain(bytes) && mcl.call.mclBnG2_deserialize(to, mcl.give(bytes), bytes.length) === bytes.length;
}

function isPlain(bytes: Uint8Array): boolean {
  return (itemAt(bytes, 0) & (COMPRESSED | INFINITY)) === COMPRESSED;
}

/** @throws {Error} no point */
function placed(bytes: Uint8Array, read: typeof readG1, room: number): Pointer {
  const to = bls12381().room(room);
  if (!read(to, bytes)) throw new Error('a point of the verifying key is none of its group');
  return to;
}
