// biome-ignore-all lint/style/noNonNullAssertion: all word and order tables have 16 elements, and all indexes are below 16
import {
  assemble,
  block,
  br,
  brIf,
  type Code,
  callFunction,
  get,
  I32,
  I64,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  storeAt,
  unary,
  type WasmFunction,
  when,
} from './assembler.js';
import { compileModule, createMemory, instantiate } from './web-assembly.js';

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

/**
 * Indexes into the working state `v`: for each of the eight mixing steps of a round, the four words that the step
 * mixes.
 */
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

/** Memory offset of the working state v, in bytes. */
const V = 0;
/** Memory offset of the input, in bytes. The input contains 4 bytes that are ignored, then h, m and t. */
const INPUT = 132;
/** Memory offset of the previous state h, in bytes. */
const H = INPUT + 4;
/** Memory offset of the message block m, in bytes. */
const M = H + 64;
/** Memory offset of t, in bytes. t is the number of bytes hashed so far. */
const T = M + 128;
const HASH_BYTES = 64;

/** WebAssembly function `begin(isLast)`. Initializes the working state. Reference: RFC 7693, 3.2. */
function beginFunction(): WasmFunction {
  const mixed: Readonly<Record<number, Code>> = {
    4: load('i64', i32(T)),
    5: load('i64', i32(T), 8),
    6: op('sub64', i64(0n), unary('extendU', get(0))),
  };
  const body = IV.flatMap((word, i) => [
    ...storeAt('i64', i32(V), load('i64', i32(H), 8 * i), 8 * i),
    ...storeAt('i64', i32(V), mixed[i] === undefined ? i64(word) : op('xor64', i64(word), mixed[i]), 8 * (8 + i)),
  ]);
  return { name: 'begin', params: [I32], results: [], locals: [], body };
}

/** WebAssembly function `end()`. Combines the previous state h with the working state. */
function endFunction(): WasmFunction {
  const word = (offset: number, i: number) => load('i64', i32(offset), 8 * i);
  const body = IV.flatMap((_, i) => [
    ...storeAt('i64', i32(H), op('xor64', word(H, i), op('xor64', word(V, i), word(V, i + 8))), 8 * i),
  ]);
  return { name: 'end', params: [], results: [], locals: [], body };
}

/**
 * WebAssembly function `rounds(n)`. Mixes the working state in n rounds. The first round uses the first message
 * schedule. Reference: RFC 7693, 3.2.
 */
function roundsFunction(): WasmFunction {
  const rounds = 0;
  const v = Array.from({ length: 16 }, (_, i) => 1 + i);
  const at = (i: number) => get(v[i]!);
  const word = (offset: number, i: number) => load('i64', i32(offset), 8 * i);
  const rotate = (i: number, other: number, by: bigint) =>
    set(v[i]!, op('rotl64', op('xor64', at(i), at(other)), i64(64n - by)));
  const mix = ([a, b, c, d]: readonly [number, number, number, number], x: number, y: number): Code => [
    ...set(v[a]!, op('add64', op('add64', at(a), at(b)), word(M, x))),
    ...rotate(d, a, 32n),
    ...set(v[c]!, op('add64', at(c), at(d))),
    ...rotate(b, c, 24n),
    ...set(v[a]!, op('add64', op('add64', at(a), at(b)), word(M, y))),
    ...rotate(d, a, 16n),
    ...set(v[c]!, op('add64', at(c), at(d))),
    ...rotate(b, c, 63n),
  ];
  const round = (order: readonly number[]): Code => [
    ...brIf(1, unary('eqz', get(rounds))),
    ...set(rounds, op('sub', get(rounds), i32(1))),
    ...LANES.flatMap((lane, i) => mix(lane, order[2 * i]!, order[2 * i + 1]!)),
  ];
  const body = [
    ...v.flatMap((local, i) => set(local, word(V, i))),
    ...block(loop(...SIGMA.map(round), br(0))),
    ...v.flatMap((local, i) => storeAt('i64', i32(V), get(local), 8 * i)),
  ];
  return { name: 'rounds', params: [I32], results: [], locals: new Array<number>(16).fill(I64), body };
}

/** WebAssembly function `compress(rounds, isLast)`. Calls `begin`, `rounds` and `end`. */
function compressFunction(): WasmFunction {
  const body = [callFunction(0, get(1)), when(get(0), callFunction(1, get(0))), callFunction(2)];
  return { name: 'compress', params: [I32, I32], results: [], locals: [], body };
}

const memory = createMemory(1, 1);
const code = assemble([], [beginFunction(), roundsFunction(), endFunction(), compressFunction()]);
interface Functions {
  begin(isLast: number): void;
  rounds(count: number): void;
  end(): void;
  compress(rounds: number, isLast: number): void;
}

const { exports } = instantiate<Functions>(compileModule(code), { env: { memory } });
const { begin, rounds: mixRounds, end, compress } = exports;
const bytes = new Uint8Array(memory.buffer);
/**
 * Maximum number of rounds per call. It is a multiple of ten, because the message schedules repeat after ten rounds.
 * Calls are short, because V8 replaces code by a faster version only between calls.
 */
const ROUNDS_AT_ONCE = 10_000;

/**
 * Computes the function F of BLAKE2b.
 * @param input 4 ignored bytes, h (64 bytes), m (128 bytes), t (16 bytes), and the byte of the last-block flag; numbers
 * are little-endian
 * @param rounds up to 2^32 − 1
 * @returns the new h
 */
export function blake2Compress(input: Uint8Array, rounds: number, isLast: boolean): Uint8Array {
  bytes.set(input, INPUT);
  if (rounds <= ROUNDS_AT_ONCE) compress(rounds, isLast ? 1 : 0);
  else {
    begin(isLast ? 1 : 0);
    for (let left = rounds; left > 0; left -= ROUNDS_AT_ONCE) mixRounds(Math.min(left, ROUNDS_AT_ONCE));
    end();
  }
  return bytes.slice(H, H + HASH_BYTES);
}
