import { jubjub } from '@noble/curves/misc.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes, utf8 } from '../../../../src/primitives/bytes.js';
import { littleEndian, littleEndianNumber } from '../../../../src/vm/precompiles/sapling/coordinates.js';
import { type JubjubPoint, multiplyJubjub } from '../../../../src/vm/precompiles/sapling/jubjub.js';

/** Signs a message with a given nonce. Reference: Zcash protocol, RedJubjub.Sign. */
export function signJubjub(base: JubjubPoint, secret: bigint, message: Uint8Array, nonce: bigint): Uint8Array {
  const r = multiplyJubjub(base, nonce).toBytes();
  const hash = blake2b(concatBytes(r, message), { dkLen: 64, personalization: utf8('Zcash_RedJubjubH') });
  const s = jubjub.Point.Fn.create(nonce + littleEndianNumber(hash) * secret);
  return concatBytes(r, littleEndian(s));
}
