// biome-ignore-all lint/style/noNonNullAssertion: the tables of lanes, columns and offsets have 5 or 25 elements, and all indexes are below these lengths
import {
  br,
  brIf,
  type Code,
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
  type WasmFunction,
  when,
} from './assembler.js';

const RATE = 136;
const ROUNDS = 24;

/** Computes the round constants of Keccak-f[1600] from their definition. Reference: FIPS 202, 3.2. */
function roundConstants(): bigint[] {
  let register = 1;
  const bit = () => {
    const out = register & 1;
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    return out;
  };
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j++) if (bit() === 1) constant |= 1n << BigInt((1 << j) - 1);
    return constant;
  });
}

function rotations(): number[] {
  const offsets = new Array<number>(25).fill(0);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    offsets[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}

/**
 * WebAssembly function `keccak(input, length, output)`. Computes the Keccak-256 hash of bytes in memory. Writes the
 * hash (32 bytes) to `output`.
 * @param state address of a 200-byte workspace
 * @param table address of the 24 round constants
 */
export function keccakFunction(state: number, table: number): WasmFunction {
  const input = 0;
  const length = 1;
  const output = 2;
  const round = 3;
  const at = 4;
  const lanes = Array.from({ length: 25 }, (_, i) => 5 + i);
  const columns = Array.from({ length: 5 }, (_, i) => 30 + i);
  const moved = Array.from({ length: 25 }, (_, i) => 35 + i);
  const lane = (i: number) => get(lanes[i]!);
  const offsets = rotations();
  const theta = columns.flatMap((local, x) =>
    set(
      local,
      op(
        'xor64',
        op('xor64', op('xor64', op('xor64', lane(x), lane(x + 5)), lane(x + 10)), lane(x + 15)),
        lane(x + 20),
      ),
    ),
  );
  const mix = columns.flatMap((_, x) => {
    const d = op('xor64', get(columns[(x + 4) % 5]!), op('rotl64', get(columns[(x + 1) % 5]!), i64(1n)));
    // d depends only on the column, so the five rows of a column use the same expression.
    return [0, 5, 10, 15, 20].flatMap((row) => set(moved[x + row]!, op('xor64', lane(x + row), d)));
  });
  const rhoPi = Array.from({ length: 25 }, (_, i) => {
    const x = i % 5;
    const y = Math.floor(i / 5);
    const to = y + 5 * ((2 * x + 3 * y) % 5);
    return set(lanes[to]!, op('rotl64', get(moved[i]!), i64(BigInt(offsets[i]!))));
  }).flat();
  const chi = [0, 5, 10, 15, 20].flatMap((row) => [
    ...[0, 1, 2, 3, 4].flatMap((x) => set(columns[x]!, lane(row + x))),
    ...[0, 1, 2, 3, 4].flatMap((x) => {
      const rest = op('and64', op('xor64', get(columns[(x + 1) % 5]!), i64(-1n)), get(columns[(x + 2) % 5]!));
      return set(lanes[row + x]!, op('xor64', get(columns[x]!), rest));
    }),
  ]);
  const iota = set(lanes[0]!, op('xor64', lane(0), load('i64', op('add', get(round), i32(table)))));
  const permute = [
    ...set(round, i32(0)),
    ...loop(
      [...theta, ...mix, ...rhoPi, ...chi, ...iota],
      set(round, op('add', get(round), i32(8))),
      brIf(0, op('lt', get(round), i32(8 * ROUNDS))),
    ),
  ];
  const absorb = (from: Code, count: number) =>
    Array.from({ length: count }, (_, i) => set(lanes[i]!, op('xor64', lane(i), load('i64', from, 8 * i)))).flat();
  const tail = [
    // Copies the last, incomplete block into a block of zeros, and adds the padding bits.
    ...Array.from({ length: RATE / 8 }, (_, i) => storeAt('i64', i32(state), i64(0n), 8 * i)).flat(),
    ...set(at, i32(0)),
    ...loop(
      when(op('lt', get(at), get(length)), [
        ...storeAt('u8', op('add', get(at), i32(state)), load('u8', op('add', get(input), get(at)))),
        ...set(at, op('add', get(at), i32(1))),
        ...br(1),
      ]),
    ),
    ...storeAt('u8', op('add', get(length), i32(state)), i32(1)),
    ...storeAt('u8', i32(state + RATE - 1), op('or', load('u8', i32(state + RATE - 1)), i32(0x80))),
    ...absorb(i32(state), RATE / 8),
    ...permute,
  ];
  const body = [
    ...lanes.flatMap((local) => set(local, i64(0n))),
    ...loop(
      when(op('ge', get(length), i32(RATE)), [
        ...absorb(get(input), RATE / 8),
        ...permute,
        ...set(input, op('add', get(input), i32(RATE))),
        ...set(length, op('sub', get(length), i32(RATE))),
        ...br(1),
      ]),
    ),
    ...tail,
    ...[0, 1, 2, 3].flatMap((i) => storeAt('i64', get(output), lane(i), 8 * i)),
  ];
  return {
    name: 'keccak',
    params: [I32, I32, I32],
    results: [],
    locals: [I32, I32, ...new Array<number>(55).fill(I64)],
    body,
  };
}

/** Returns the round constants in the form that `keccakFunction` reads from memory. */
export function keccakTable(): BigUint64Array<ArrayBuffer> {
  return BigUint64Array.from(roundConstants());
}
