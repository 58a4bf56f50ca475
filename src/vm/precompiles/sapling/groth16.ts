import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Groth16Key } from '../../../crypto/wasm/bls12-381/groth16.js';

const G1 = bls12_381.G1.Point;
const G2 = bls12_381.G2.Point;
const G1_FILE_BYTES = 96;
const G2_FILE_BYTES = 192;
const COUNT_BYTES = 4;

/**
 * Reads the verifying key of a circuit in the format of the `bellman` crate. Ignores bytes after the key.
 * @throws {RangeError | Error} the bytes are not a verifying key
 */
export function readVerifyingKey(bytes: Uint8Array): Groth16Key {
  let at = 0;
  const take = (size: number) => {
    if (at + size > bytes.length) throw new RangeError(`verifying key truncated at byte ${bytes.length}`);
    at += size;
    return Uint8Array.from(bytes.subarray(at - size, at));
  };
  const g1 = () => affine(G1.fromBytes(take(G1_FILE_BYTES)));
  const g2 = () => {
    const { x, y } = affine(G2.fromBytes(take(G2_FILE_BYTES)));
    return { x: [x.c0, x.c1], y: [y.c0, y.c1] } as const;
  };
  const alpha = g1();
  take(G1_FILE_BYTES);
  const beta = g2();
  const gamma = g2();
  take(G1_FILE_BYTES);
  const delta = g2();
  const count = Buffer.from(take(COUNT_BYTES)).readUInt32BE();
  const [constant, ...inputs] = Array.from({ length: count }, g1);
  if (constant === undefined) throw new RangeError('verifying key has no points for public inputs');
  return { alpha, beta, gamma, delta, constant, inputs };
}

/** Returns the affine coordinates of a point. @throws {RangeError} for the point at infinity */
function affine<Point extends { is0(): boolean; toAffine(): unknown }>(point: Point): ReturnType<Point['toAffine']> {
  if (point.is0()) throw new RangeError('verifying key has a point at infinity');
  return point.toAffine() as ReturnType<Point['toAffine']>;
}
