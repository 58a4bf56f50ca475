import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes, fromHex, toHex } from '../../../src/primitives/bytes.js';

const { Point } = secp256k1;
const { Fn } = Point;

/** Address of the point at infinity as a public key: the last 20 bytes of Keccak-256 of an empty input. */
export const INFINITY_ADDRESS = '41dcc703c0e500b653ca82273b7bfad8045d85a470';

/**
 * Creates a signature of a hash whose recovered key is the point at infinity. This needs no private key: R = k × G, r
 * is the x coordinate of R, and s = e / k, where e is the hash as a number. Returns r, s and the recovery id (0 or
 * 1).
 * @param k from 1 to the order of the group minus 1
 */
export function infinitySignature(hash: Uint8Array, k: bigint): Uint8Array {
  const { x: r, y } = Point.BASE.multiply(k).toAffine();
  const s = Fn.mul(Fn.create(BigInt(`0x${toHex(hash)}`)), Fn.inv(k));
  const hex = [r, s].map((value) => value.toString(16).padStart(64, '0')).join('');
  return concatBytes(fromHex(hex), Uint8Array.of(Number(y & 1n)));
}
