import { secp256k1 as curve } from '@noble/curves/secp256k1.js';
import { addressOfKey } from '../../crypto/key-address.js';
import { SIGNATURE_BYTES, secp256k1 } from '../../crypto/secp256k1.js';
import { javaClassOf } from '../../java-compat/class-name.js';
import { itemAt } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { ChainError, unchecked } from '../errors.js';
import type { ChainRules } from '../state/chain-rules.js';

const { Point } = curve;

/**
 * Address (21 bytes) of the key that made a signature. Reference: SignUtils.signatureToAddress,
 * ECKey.signatureToKeyBytes.
 * @throws {ChainError} SignatureException with the reference's text
 */
export function recoverSigner(hash: Uint8Array, signature: Uint8Array, addressPrefix: number): Uint8Array {
  return addressOfKey(recoverKey(hash, signature), addressPrefix);
}

/** The key that made a signature, uncompressed, 65 bytes. @throws {ChainError} as `recoverSigner` */
export function recoverKey(hash: Uint8Array, signature: Uint8Array): Uint8Array {
  const recovery = recoveryIdOf(signature);
  try {
    return secp256k1.recover(signature.subarray(0, 64), recovery, hash);
  } catch {
    return recoverOddKey(hash, signature, recovery);
  }
}

/**
 * Which of the four points that r can stand for was the nonce's, 0 to 3.
 * @throws {ChainError} a header that says none
 */
export function recoveryIdOf(signature: Uint8Array): number {
  const header = headerOf(itemAt(signature, SIGNATURE_BYTES - 1));
  if (header < 27 || header > 34) throw new ChainError('SignatureException', `Header byte out of range: ${header}`);
  return (header >= 31 ? header - 4 : header) - 27;
}

/** As `recoverSigner`, or another way to the same, with the failures of the node's release. @throws {ChainError} */
export function signerBy(
  { release, addressPrefix }: ChainRules,
  [hash, signature]: readonly [hash: Uint8Array, signature: Uint8Array],
  find = (of: Uint8Array, by: Uint8Array) => recoverSigner(of, by, addressPrefix),
): Uint8Array {
  try {
    return find(hash, signature);
  } catch (error) {
    if (!(error instanceof ChainError && release.rules.wrapsSignerFailures)) throw error;
    throw new ChainError('SignatureException', `${javaClassOf(error.exception)}: ${error.text}`, { cause: error });
  }
}

/** Java reads the byte as signed, and adds 27 within a byte to everything below 27. */
function headerOf(byte: number): number {
  const signed = (byte << 24) >> 24;
  return signed < 27 ? ((signed + 27) << 24) >> 24 : signed;
}

/**
 * What the library refuses, the reference may still recover (s = 0, r and s above the order), or refuse in its own
 * words.
 * Reference: ECKey.recoverPubBytesFromSignature.
 */
function recoverOddKey(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array {
  const r = toNumber(signature.subarray(0, 32));
  const s = toNumber(signature.subarray(32, 64));
  const order = Point.Fn.ORDER;
  const x = r + BigInt(recovery >> 1) * order;
  if (x >= Point.Fp.ORDER) throw notRecovered();
  const nonce = decompress(x, (recovery & 1) === 1);
  if (r % order === 0n) throw unchecked('ArithmeticException', 'BigInteger not invertible.');
  const inverse = Point.Fn.inv(Point.Fn.create(r));
  const u1 = Point.Fn.create(-Point.Fn.create(toNumber(hash)) * inverse);
  const u2 = Point.Fn.create(Point.Fn.create(s) * inverse);
  const key = multiply(Point.BASE, u1).add(multiply(nonce, u2));
  if (key.is0()) throw notRecovered();
  return key.toBytes(false);
}

function decompress(x: bigint, isOdd: boolean): InstanceType<typeof Point> {
  try {
    return Point.fromHex((isOdd ? '03' : '02') + x.toString(16).padStart(64, '0'));
  } catch {
    throw unchecked('IllegalArgumentException', 'Invalid point compression');
  }
}

/** The library refuses a factor of zero. */
function multiply(point: InstanceType<typeof Point>, factor: bigint): InstanceType<typeof Point> {
  return factor === 0n ? Point.ZERO : point.multiplyUnsafe(factor);
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes)}`);
}

function notRecovered(): ChainError {
  return new ChainError('SignatureException', 'Could not recover public key from signature');
}
