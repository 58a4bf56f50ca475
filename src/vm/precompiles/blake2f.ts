import { type Precompile, success, WORD_BYTES } from './precompile.js';

const INPUT_BYTES = 213;

/** The compression function of BLAKE2b; one energy a round. Reference: PrecompiledContracts.Blake2F (EIP-152). */
export const blake2F: Precompile = {
  energy: (data) => (isWellFormed(data) ? view(data).getUint32(0) : 0),
  run: (data) =>
    isWellFormed(data) ? success(compress(data)) : { isSuccess: false, data: new Uint8Array(WORD_BYTES) },
};

function isWellFormed(data: Uint8Array): boolean {
  return data.length === INPUT_BYTES && (data[212]! & 0xfe) === 0;
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

const IV: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

const SIGMA: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/** Places of `v` that the eight mixings of a round work on. */
const LANES: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** Words as pairs of 32 bits, low first: a round with bigints would take ten times as long, and rounds cost one energy. */
function compress(data: Uint8Array): Uint8Array {
  const input = view(data);
  const v = new Int32Array(32);
  const m = new Int32Array(32);
  for (let i = 0; i < 16; i++) v[i] = input.getInt32(4 + 4 * i, true);
  for (let i = 0; i < 32; i++) m[i] = input.getInt32(68 + 4 * i, true);
  for (let i = 0; i < 8; i++) {
    v[16 + 2 * i] = Number(BigInt.asIntN(32, IV[i]!));
    v[17 + 2 * i] = Number(BigInt.asIntN(32, IV[i]! >> 32n));
  }
  for (let i = 0; i < 4; i++) v[24 + i]! ^= input.getInt32(196 + 4 * i, true);
  if (data[212] === 1) {
    v[28] = ~v[28]!;
    v[29] = ~v[29]!;
  }
  const rounds = input.getUint32(0);
  for (let round = 0; round < rounds; round++) {
    const order = SIGMA[round % 10]!;
    for (let lane = 0; lane < 8; lane++) {
      const [a, b, c, d] = LANES[lane]!;
      mix(v, 2 * a, 2 * b, 2 * c, 2 * d, m, 2 * order[2 * lane]!, 2 * order[2 * lane + 1]!);
    }
  }
  const output = Buffer.alloc(64);
  for (let i = 0; i < 16; i++) output.writeInt32LE(input.getInt32(4 + 4 * i, true) ^ v[i]! ^ v[16 + i]!, 4 * i);
  return output;
}

function mix(v: Int32Array, a: number, b: number, c: number, d: number, m: Int32Array, x: number, y: number): void {
  add(v, a, v[b]!, v[b + 1]!);
  add(v, a, m[x]!, m[x + 1]!);
  rotate(v, d, v[d]! ^ v[a]!, v[d + 1]! ^ v[a + 1]!, 0);
  add(v, c, v[d]!, v[d + 1]!);
  rotate(v, b, v[b]! ^ v[c]!, v[b + 1]! ^ v[c + 1]!, 24);
  add(v, a, v[b]!, v[b + 1]!);
  add(v, a, m[y]!, m[y + 1]!);
  rotate(v, d, v[d]! ^ v[a]!, v[d + 1]! ^ v[a + 1]!, 16);
  add(v, c, v[d]!, v[d + 1]!);
  rotate(v, b, v[b]! ^ v[c]!, v[b + 1]! ^ v[c + 1]!, 63);
}

function add(v: Int32Array, at: number, low: number, high: number): void {
  const sum = (v[at]! >>> 0) + (low >>> 0);
  v[at] = sum | 0;
  v[at + 1] = (v[at + 1]! + high + (sum > 0xffffffff ? 1 : 0)) | 0;
}

/** Rotates right; 0 stands for 32. */
function rotate(v: Int32Array, at: number, low: number, high: number, by: number): void {
  if (by === 0) {
    v[at] = high;
    v[at + 1] = low;
  } else if (by === 63) {
    v[at] = (low << 1) | (high >>> 31);
    v[at + 1] = (high << 1) | (low >>> 31);
  } else {
    v[at] = (low >>> by) | (high << (32 - by));
    v[at + 1] = (high >>> by) | (low << (32 - by));
  }
}
