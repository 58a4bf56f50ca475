import { bls12_381 } from '@noble/curves/bls12-381.js';
import { type Groth16Key, PROOF_BYTES } from '../../../../src/crypto/wasm/bls12-381/groth16.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
type G1Point = typeof G1.ZERO;
type G2Point = typeof G2.ZERO;
const { Fp2, Fp12, Fr } = bls12_381.fields;

const G1_BYTES = 48;
const G2_BYTES = 96;

/** Verifying key of a circuit, as points of the JavaScript library. */
interface PlainCircuit {
  readonly alpha: G1Point;
  readonly beta: G2Point;
  readonly gamma: G2Point;
  readonly delta: G2Point;
  readonly constant: G1Point;
  readonly inputs: readonly G1Point[];
}

interface PlainClaim {
  readonly circuit: PlainCircuit;
  readonly proof: Uint8Array;
  readonly inputs: readonly bigint[];
}

/**
 * Verifies each proof separately with a JavaScript library. It has the interface of `Groth16`, the tested WebAssembly
 * implementation.
 */
export class PlainGroth16 {
  circuit({ alpha, beta, gamma, delta, constant, inputs }: Groth16Key): PlainCircuit {
    const points = { alpha: curvePoint(alpha), constant: curvePoint(constant), inputs: inputs.map(curvePoint) };
    const [ofBeta, ofGamma, ofDelta] = [twistPoint(beta), twistPoint(gamma), twistPoint(delta)];
    if (!ofBeta.isTorsionFree()) throw new RangeError('verifying key: beta is not in G2');
    return { ...points, beta: ofBeta, gamma: ofGamma, delta: ofDelta };
  }

  areProven(claims: readonly PlainClaim[]): boolean {
    return claims.every(isProven);
  }
}

function isProven({ circuit, proof, inputs }: PlainClaim): boolean {
  if (proof.length !== PROOF_BYTES || inputs.length !== circuit.inputs.length) return false;
  const bytes = Uint8Array.from(proof);
  const a = pointOf(() => G1.fromBytes(bytes.subarray(0, G1_BYTES)));
  const b = pointOf(() => G2.fromBytes(bytes.subarray(G1_BYTES, G1_BYTES + G2_BYTES)));
  const c = pointOf(() => G1.fromBytes(bytes.subarray(G1_BYTES + G2_BYTES)));
  if (a === undefined || b === undefined || c === undefined) return false;
  const shown = inputs.reduce(
    (sum, input, at) => sum.add((circuit.inputs[at] ?? G1.ZERO).multiplyUnsafe(input % Fr.ORDER)),
    circuit.constant,
  );
  const pairs = [
    { g1: a, g2: b },
    { g1: circuit.alpha.negate(), g2: circuit.beta },
    { g1: shown.negate(), g2: circuit.gamma },
    { g1: c.negate(), g2: circuit.delta },
  ].filter(({ g1 }) => !g1.is0());
  return Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE);
}

function curvePoint({ x, y }: Groth16Key['alpha']): G1Point {
  return G1.fromAffine({ x, y });
}

function twistPoint({ x, y }: Groth16Key['beta']): G2Point {
  return G2.fromAffine({ x: Fp2.fromBigTuple([...x]), y: Fp2.fromBigTuple([...y]) });
}

/** Returns the point that `read` decodes. Undefined if the point is invalid, not in its group, or infinity. */
function pointOf<P extends { assertValidity(): void; is0(): boolean }>(read: () => P): P | undefined {
  try {
    const point = read();
    if (point.is0()) return undefined;
    point.assertValidity();
    return point;
  } catch {
    // The library throws for an invalid point.
    return undefined;
  }
}
