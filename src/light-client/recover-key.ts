import { etc, Point } from '@noble/secp256k1';

const { p: PRIME, n: ORDER } = Point.CURVE();
/** Encoding of a key that is the point at infinity: the single byte 0. */
const INFINITY = Uint8Array.of(0);

/**
 * Recovers the public key of the signer from a signature, with the same result as a full node. Unlike the function of
 * `@noble/secp256k1`, accepts s = 0, r and s above the group order, and the point at infinity as the result.
 * @param signature r and s, 32 bytes each
 * @param recovery recovery id, 0 to 3
 * @returns 65 bytes, or the byte 0 for the point at infinity
 * @throws {Error} the curve has no point with this x coordinate
 */
export function recoverLightKey(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array {
  const r = etc.bytesToNumberBE(signature.subarray(0, 32));
  const s = etc.bytesToNumberBE(signature.subarray(32, 64));
  const x = r + BigInt(recovery >> 1) * ORDER;
  if (x >= PRIME) throw new Error('x is not below the prime');
  const nonce = Point.fromHex(((recovery & 1) === 1 ? '03' : '02') + x.toString(16).padStart(64, '0'));
  const inverse = etc.invert(r, ORDER);
  const ofBase = etc.mod(-etc.bytesToNumberBE(hash) * inverse, ORDER);
  const key = Point.BASE.multiplyUnsafe(ofBase).add(nonce.multiplyUnsafe((s * inverse) % ORDER));
  return key.is0() ? INFINITY : key.toBytes(false);
}
