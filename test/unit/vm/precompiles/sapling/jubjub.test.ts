import { jubjub } from '@noble/curves/misc.js';
import t from 'tap';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { littleEndian } from '../../../../../src/vm/precompiles/sapling/coordinates.js';
import {
  multiplyJubjub,
  RANDOMNESS_BASE,
  readPoint,
  VALUE_BASE,
  verifySignature,
} from '../../../../../src/vm/precompiles/sapling/jubjub.js';
import { signJubjub } from '../../../../support/vm/precompiles/red-jubjub.js';

t.test('verifies a signature by its key over its message', async (t) => {
  const key = multiplyJubjub(RANDOMNESS_BASE, 12345n);
  const signature = signJubjub(RANDOMNESS_BASE, 12345n, utf8('hello'), 999n);
  t.equal(verifySignature(RANDOMNESS_BASE, key, utf8('hello'), signature), true);
  t.equal(verifySignature(RANDOMNESS_BASE, key, utf8('hallo'), signature), false);
  t.equal(verifySignature(RANDOMNESS_BASE, multiplyJubjub(key, 2n), utf8('hello'), signature), false);
  t.equal(verifySignature(VALUE_BASE, key, utf8('hello'), signature), false);
});

t.test('reads points like another library', async (t) => {
  const order = jubjub.Point.Fp.ORDER;
  const ys = [0n, 1n, 2n, 3n, order - 1n, order - 2n, order, order + 1n, (1n << 255n) - 1n];
  const rest = Array.from({ length: 40 }, (_, i) => 7n ** BigInt(80 + i) % order);
  for (const y of [...ys, ...rest]) {
    for (const sign of [0, 0x80]) {
      const bytes = littleEndian(y);
      bytes[31]! |= sign;
      t.equal(readPoint(bytes)?.toHex(), y < order ? byLibrary(bytes)?.toHex() : undefined, toHex(bytes));
    }
  }
  t.equal(readPoint(new Uint8Array(31)), undefined, 'too short');
  t.equal(readPoint(new Uint8Array(33)), undefined, 'too long');
});

function byLibrary(bytes: Uint8Array): typeof jubjub.Point.ZERO | undefined {
  try {
    return jubjub.Point.fromBytes(bytes, true);
  } catch {
    return undefined;
  }
}
