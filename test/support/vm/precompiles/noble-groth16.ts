import { bls12_381 } from '@noble/curves/bls12-381.js';

// A second opinion on proofs: the same equation by a library in JavaScript.

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
type G1Point = typeof G1.ZERO;
type G2Point = typeof G2.ZERO;
const { Fp12, Fr } = bls12_381.fields;

const G1_BYTES = 96;
const G2_BYTES = 192;
const COUNT_BYTES = 4;

/** What a proof of one circuit is checked with. */
interface VerifyingKey {
  readonly alpha: G1Point;
  readonly beta: G2Point;
  readonly gamma: G2Point;
  readonly delta: G2Point;
  /** One point for the constant, one for each public input. */
  readonly inputs: readonly G1Point[];
}

/** Reads a key as the `bellman` crate writes it; what stands behind it is ignored. @throws {RangeError | Error} no key */
export function readVerifyingKey(bytes: Uint8Array): VerifyingKey {
  let at = 0;
  const take = (size: number) => {
    if (at + size > bytes.length) throw new RangeError('the verifying key ends early');
    at += size;
    return Uint8Array.from(bytes.subarray(at - size, at));
  };
  const alpha = G1.fromBytes(take(G1_BYTES));
  take(G1_BYTES);
  const beta = G2.fromBytes(take(G2_BYTES));
  const gamma = G2.fromBytes(take(G2_BYTES));
  take(G1_BYTES);
  const delta = G2.fromBytes(take(G2_BYTES));
  const count = Buffer.from(take(COUNT_BYTES)).readUInt32BE();
  const inputs = Array.from({ length: count }, () => G1.fromBytes(take(G1_BYTES)));
  return { alpha, beta, gamma, delta, inputs };
}

/** Whether a proof (192 bytes: two points of G1 around one of G2) shows what the public inputs say. */
export function verifyProof(key: VerifyingKey, proof: Uint8Array, inputs: readonly bigint[]): boolean {
  const a = pointOf(() => G1.fromBytes(Uint8Array.from(proof.subarray(0, 48))));
  const b = pointOf(() => G2.fromBytes(Uint8Array.from(proof.subarray(48, 144))));
  const c = pointOf(() => G1.fromBytes(Uint8Array.from(proof.subarray(144, 192))));
  if (a === undefined || b === undefined || c === undefined || inputs.length + 1 !== key.inputs.length) return false;
  let sum = key.inputs[0]!;
  for (const [i, input] of inputs.entries()) {
    if (input !== 0n) sum = sum.add(key.inputs[i + 1]!.multiplyUnsafe(input % Fr.ORDER));
  }
  const pairs = [
    { g1: a, g2: b },
    { g1: key.alpha.negate(), g2: key.beta },
    { g1: sum.negate(), g2: key.gamma },
    { g1: c.negate(), g2: key.delta },
  ].filter(({ g1 }) => !g1.is0());
  return Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE);
}

/** A point of the right group that is not infinity. */
function pointOf<P extends { assertValidity(): void; is0(): boolean }>(read: () => P): P | undefined {
  try {
    const point = read();
    if (point.is0()) return undefined;
    point.assertValidity();
    return point;
  } catch {
    // The library's only way to say "no such point".
    return undefined;
  }
}
