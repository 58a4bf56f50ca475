import { secp256k1 as curve } from '@noble/curves/secp256k1.js';
import { SIGNATURE_BYTES, secp256k1 } from '../../crypto/secp256k1.js';
import { toUnsigned } from '../../primitives/bytes.js';
import { ChainError, unchecked } from '../errors.js';

const { Point } = curve;
const ORDER = Point.Fn.ORDER;
const SCALAR_BYTES = 32;

/**
 * Encoding of the point at infinity: one byte. java-tron derives an address from the bytes after the first byte. For
 * infinity, no bytes follow, so the result is the address of an empty key. Reference: ECPoint.getEncoded.
 */
const INFINITY = Uint8Array.of(0);

/**
 * Recovers the public key of a signature. Returns 65 bytes (uncompressed), or the single byte 0 for the point at
 * infinity. A signature that recovers to infinity can be made without a private key, and java-tron accepts it.
 * Reference: ECKey.recoverPubBytesFromSignature.
 * @param signature r and s of 32 bytes each; further bytes are ignored
 * @param recovery 0 to 3: bit 0 is the parity of y of the nonce's point; bit 1 is set if x of this point is r plus the
 * group order
 * @throws {ChainError} no key can be recovered; the exception and its text are java-tron's
 */
export function recoverKey(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array {
  try {
    return secp256k1.recover(signature.subarray(0, SIGNATURE_BYTES - 1), recovery, hash);
  } catch {
    return recoverOddKey(hash, signature, recovery);
  }
}

/** Returns true if r and s are at least 1 and below the group order. Reference: ECDSASignature.validateComponents. */
export function hasValidScalars(signature: Uint8Array): boolean {
  return [0, SCALAR_BYTES].every((at) => {
    const scalar = toUnsigned(signature.subarray(at, at + SCALAR_BYTES));
    return scalar > 0n && scalar < ORDER;
  });
}

/**
 * Recovers keys of signatures that java-tron accepts, but the library rejects: s is 0, r or s is not below the group
 * order, or the key is the point at infinity. All other signatures fail as in java-tron.
 */
function recoverOddKey(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array {
  const r = toUnsigned(signature.subarray(0, SCALAR_BYTES));
  const s = toUnsigned(signature.subarray(SCALAR_BYTES, 2 * SCALAR_BYTES));
  const x = r + BigInt(recovery >> 1) * ORDER;
  if (x >= Point.Fp.ORDER) throw new ChainError('SignatureException', 'Could not recover public key from signature');
  const nonce = decompress(x, (recovery & 1) === 1);
  if (r % ORDER === 0n) throw unchecked('ArithmeticException', 'BigInteger not invertible.');
  const inverse = Point.Fn.inv(Point.Fn.create(r));
  const u1 = Point.Fn.create(-Point.Fn.create(toUnsigned(hash)) * inverse);
  const u2 = Point.Fn.create(Point.Fn.create(s) * inverse);
  const key = multiply(Point.BASE, u1).add(multiply(nonce, u2));
  return key.is0() ? INFINITY : key.toBytes(false);
}

function decompress(x: bigint, isOdd: boolean): InstanceType<typeof Point> {
  try {
    return Point.fromHex((isOdd ? '03' : '02') + x.toString(16).padStart(2 * SCALAR_BYTES, '0'));
  } catch {
    throw unchecked('IllegalArgumentException', 'Invalid point compression');
  }
}

/** Multiplies a point. The library rejects a factor of zero. */
function multiply(point: InstanceType<typeof Point>, factor: bigint): InstanceType<typeof Point> {
  return factor === 0n ? Point.ZERO : point.multiplyUnsafe(factor);
}
