import { createRequire } from 'node:module';
import t from 'tap';
import { crc32c } from '../../../src/primitives/crc32c.js';

const libraryCrc = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/crc32C') as (
  bytes: Uint8Array,
) => number;

t.test('matches the check value of the CRC catalogue', async (t) => {
  t.equal(crc32c(Buffer.from('123456789')), 0xe3069283);
  t.equal(crc32c(), 0);
});

t.test('checksums bytes of all lengths from any offset, whole and in parts, like kafkajs', async (t) => {
  const bytes = Uint8Array.from({ length: 100 }, (_, at) => (at * 167 + (at >> 3)) % 256);
  for (let from = 0; from < 9; from++) {
    for (let to = from; to <= bytes.length; to++) {
      const part = bytes.subarray(from, to);
      const middle = part.length >> 1;
      const expected = libraryCrc(part);
      if (crc32c(part) !== expected) t.fail(`${from} to ${to}`);
      if (crc32c(part.subarray(0, middle), part.subarray(middle)) !== expected) t.fail(`${from} to ${to} in parts`);
    }
  }
});
