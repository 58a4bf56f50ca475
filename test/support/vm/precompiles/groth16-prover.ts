import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concatBytes, toHex } from '../../../../src/primitives/bytes.js';
import { type ConstraintSystem, Fr } from './constraint-system.js';
import { quotientCoefficients } from './quotient.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
type G1Point = typeof G1.ZERO;
type G2Point = typeof G2.ZERO;

/** Parameters for proofs of one circuit. */
export interface ProvingKey {
  readonly alpha: G1Point;
  readonly beta1: G1Point;
  readonly beta2: G2Point;
  readonly delta1: G1Point;
  readonly delta2: G2Point;
  /** Points for the coefficients of the quotient polynomial. */
  readonly quotient: readonly G1Point[];
  readonly witness: readonly G1Point[];
  readonly left: readonly G1Point[];
  readonly right1: readonly G1Point[];
  readonly right2: readonly G2Point[];
}

const COORDINATE_BYTES = 48;

/**
 * Reads parameters in the format of the `bellman` crate. Does not check the points, because tests verify the resulting
 * proofs.
 */
export function readProvingKey(bytes: Buffer): ProvingKey {
  let at = 0;
  const coordinate = (): bigint => {
    at += COORDINATE_BYTES;
    return BigInt(`0x${toHex(bytes.subarray(at - COORDINATE_BYTES, at))}`);
  };
  const g1 = (): G1Point => G1.fromAffine({ x: coordinate(), y: coordinate() });
  const pair = () => {
    const c1 = coordinate();
    return { c0: coordinate(), c1 };
  };
  const g2 = (): G2Point => G2.fromAffine({ x: pair(), y: pair() });
  const many = <P>(read: () => P): P[] => {
    at += 4;
    return Array.from({ length: bytes.readUInt32BE(at - 4) }, read);
  };
  const [alpha, beta1, beta2, , delta1, delta2] = [g1(), g1(), g2(), g2(), g1(), g2()];
  many(g1);
  const [quotient, witness, left, right1, right2] = [many(g1), many(g1), many(g1), many(g1), many(g2)];
  return { alpha, beta1, beta2, delta1, delta2, quotient, witness, left, right1, right2 };
}

/**
 * Creates a proof that a witness exists for the public inputs. Reference: bellman, create_proof.
 * @param r first of two random numbers that hide the witness
 * @throws {Error} the variables of the circuit do not match the key
 */
export function prove(system: ConstraintSystem, key: ProvingKey, { r, s }: { r: bigint; s: bigint }): Uint8Array {
  const { inputs, witness } = system;
  // Adds the constraint input × 0 = 0 for each public input, so that no two inputs occur in exactly the same
  // constraints.
  for (const i of inputs.keys()) system.enforce([[~i, 1n]], [], []);
  const inFactor = (seen: ReadonlySet<number>) => [
    ...inputs.filter((_, i) => seen.has(~i)),
    ...witness.filter((_, i) => seen.has(i)),
  ];
  const left = inFactor(system.inLeft);
  const right = inFactor(system.inRight);
  const leftSum = multiplySum(G1, key.left, left);
  const right1Sum = multiplySum(G1, key.right1, right);
  const a = key.delta1.multiplyUnsafe(r).add(key.alpha).add(leftSum);
  const b = key.delta2
    .multiplyUnsafe(s)
    .add(key.beta2)
    .add(multiplySum(G2, key.right2, right));
  const c = key.delta1
    .multiplyUnsafe(Fr.mul(r, s))
    .add(key.alpha.multiplyUnsafe(s))
    .add(key.beta1.multiplyUnsafe(r))
    .add(leftSum.multiplyUnsafe(s))
    .add(right1Sum.multiplyUnsafe(r))
    .add(multiplySum(G1, key.quotient, quotientCoefficients(system)))
    .add(multiplySum(G1, key.witness, witness));
  return concatBytes(a.toBytes(), b.toBytes(), c.toBytes());
}

const WINDOW_BITS = 10;

/**
 * Returns the sum of points, each multiplied by a number. Uses Pippenger's bucket method. About half of the numbers
 * in a witness are 0 or 1; they need no buckets.
 */
function multiplySum<P extends { add(other: P): P; double(): P }>(
  { ZERO }: { readonly ZERO: P },
  points: readonly P[],
  scalars: readonly bigint[],
): P {
  if (points.length !== scalars.length) throw new Error(`${points.length} points for ${scalars.length} numbers`);
  let ones = ZERO;
  const large: [P, bigint][] = [];
  for (const [i, scalar] of scalars.entries()) {
    if (scalar === 1n) ones = ones.add(points[i]!);
    else if (scalar !== 0n) large.push([points[i]!, scalar]);
  }
  let sum = ZERO;
  for (let window = Math.ceil(255 / WINDOW_BITS) - 1; window >= 0; window--) {
    for (let doubling = 0; doubling < WINDOW_BITS; doubling++) sum = sum.double();
    const buckets = new Array<P | undefined>(1 << WINDOW_BITS);
    for (const [point, scalar] of large) {
      const digit = Number((scalar >> BigInt(window * WINDOW_BITS)) & ((1n << BigInt(WINDOW_BITS)) - 1n));
      if (digit !== 0) buckets[digit] = buckets[digit]?.add(point) ?? point;
    }
    let running = ZERO;
    for (let digit = buckets.length - 1; digit > 0; digit--) {
      if (buckets[digit] !== undefined) running = running.add(buckets[digit]!);
      sum = sum.add(running);
    }
  }
  return sum.add(ones);
}
