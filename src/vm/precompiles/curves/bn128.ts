import { Bn254 } from '../../../crypto/wasm/bn254/bn254.js';
import { Bn254Pairing } from '../../../crypto/wasm/bn254/pairing.js';
import { onFirstUse } from '../../../primitives/on-first-use.js';
import { WORD_BYTES as WORD } from '../../../primitives/units.js';

const POINT_BYTES = 2 * WORD;

const points = onFirstUse(() => new Bn254());
const pairing = onFirstUse(() => new Bn254Pairing());

/** Returns x and y of the sum of two points. Input: 128 bytes, padded with zeros. Undefined for an invalid point. */
export function addPoints(data: Uint8Array): Uint8Array | undefined {
  return points().add(partOf(data, 0, POINT_BYTES), partOf(data, POINT_BYTES, POINT_BYTES));
}

/** Returns x and y of the product of a point and a 256-bit word. Undefined for an invalid point. */
export function multiplyPoint(data: Uint8Array): Uint8Array | undefined {
  return points().multiply(partOf(data, 0, POINT_BYTES), partOf(data, POINT_BYTES, WORD));
}

/**
 * Returns true if the product of the pairings of all pairs (192 bytes each) is one. Undefined if a point is invalid, or
 * not in its group.
 */
export function isPairingOne(data: Uint8Array): boolean | undefined {
  return pairing().isProductOne(data);
}

/** Returns a part of the input, padded with zeros. */
function partOf(data: Uint8Array, at: number, length: number): Uint8Array {
  const found = data.subarray(at, at + length);
  if (found.length === length) return found;
  const bytes = new Uint8Array(length);
  bytes.set(found);
  return bytes;
}
