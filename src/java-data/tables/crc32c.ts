// biome-ignore-all lint/style/noNonNullAssertion: each of the eight tables has a row for every byte, and places stay below the end that is asked for
/** Reversed polynomial of CRC-32C (Castagnoli). */
const POLYNOMIAL = 0x82f63b78;
const MASK_DELTA = 0xa282ead8;

/** Eight tables, one for each byte of a step: about one gigabyte a second, where one table gives a quarter of that. */
const tables = makeTables();

/** CRC-32C of bytes `from` up to `to`; `start` is the sum of what came before. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length, start = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  let crc = ~start;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < to; at++) crc = t0[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The form in which both engines store a sum, so that a sum over stored sums stays a good one. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}

type Tables = readonly [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array];

function makeTables(): Tables {
  const made: Tables = [table(), table(), table(), table(), table(), table(), table(), table()];
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    made[0]![byte] = crc;
  }
  for (let at = 1; at < 8; at++) {
    for (let byte = 0; byte < 256; byte++) {
      const crc = made[at - 1]![byte]!;
      made[at]![byte] = made[0]![crc & 0xff]! ^ (crc >>> 8);
    }
  }
  return made;
}

function table(): Int32Array {
  return new Int32Array(256);
}
