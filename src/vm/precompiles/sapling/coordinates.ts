import { Jubjub } from '../../../crypto/wasm/jubjub/jubjub.js';
import { JUBJUB_POINT_BYTES } from '../../../crypto/wasm/jubjub/points.js';
import { Roots } from '../../../crypto/wasm/jubjub/roots.js';
import { toHex } from '../../../primitives/bytes.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';

/** Arithmetic of the Jubjub curve, one instance for all Sapling precompiles. */
export const curve = new Jubjub();
/** Address of the neutral element of the curve, in the memory of `curve`. */
export const NEUTRAL = curve.allocate(JUBJUB_POINT_BYTES);
curve.writePoint(NEUTRAL, { X: 0n, Y: 1n, Z: 1n, T: 0n });

const roots = onFirstUse(() => new Roots(curve));

/** Decodes a little-endian number. */
export function littleEndianNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(Uint8Array.from(bytes).reverse())}`);
}

/** Encodes a number as 32 little-endian bytes. */
export function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
}

/** Returns x and y of a point in the memory of `curve`. */
export function affineOf(point: number): { readonly x: bigint; readonly y: bigint } {
  const { x, y } = curve.readAffine(point);
  return { x: littleEndianNumber(x), y: littleEndianNumber(y) };
}

/** Returns a square root of dividend / divisor in the field; undefined if the quotient has no root. */
export function rootOfQuotient(dividend: bigint, divisor: bigint): bigint | undefined {
  const root = roots().rootOfQuotient(dividend, divisor);
  return root === undefined ? undefined : littleEndianNumber(root);
}
