/**
 * WebAssembly code: opcodes and operands as bytes, and nested lists of bytes. `assemble` flattens the lists once,
 * when it writes the module. Flattening at each level would take most of the time.
 *
 * The interpreter loop and the curves are generated as WebAssembly, because WebAssembly has 64-bit words and unsigned
 * comparison.
 */
export type Code = readonly (number | Code)[];

export const I32 = 0x7f;
export const I64 = 0x7e;
export const V128 = 0x7b;
const VOID = 0x40;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? byte : byte | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}

export function i32(value: number): Code {
  return [0x41, ...signed(BigInt(value | 0))];
}

export function i64(value: bigint): Code {
  return [0x42, ...signed(BigInt.asIntN(64, value))];
}

export function get(local: number): Code {
  return [0x20, ...unsigned(local)];
}

export function set(local: number, value: Code): Code {
  return [value, 0x21, ...unsigned(local)];
}

export function tee(local: number, value: Code): Code {
  return [value, 0x22, ...unsigned(local)];
}

export function callFunction(index: number, ...operands: Code[]): Code {
  return [...operands, 0x10, ...unsigned(index)];
}

/** Opcodes with two operands. */
const BINARY = {
  eq: 0x46,
  ne: 0x47,
  ltS: 0x48,
  lt: 0x49,
  gtS: 0x4a,
  gt: 0x4b,
  le: 0x4d,
  ge: 0x4f,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shl: 0x74,
  shrU: 0x76,
  eq64: 0x51,
  ne64: 0x52,
  ltS64: 0x53,
  lt64: 0x54,
  gtS64: 0x55,
  gt64: 0x56,
  ge64: 0x5a,
  add64: 0x7c,
  sub64: 0x7d,
  mul64: 0x7e,
  div64: 0x80,
  rem64: 0x82,
  and64: 0x83,
  or64: 0x84,
  xor64: 0x85,
  shl64: 0x86,
  shrS64: 0x87,
  shr64: 0x88,
  rotl64: 0x89,
} as const;

/** Opcodes with one operand. */
const UNARY = {
  eqz: 0x45,
  eqz64: 0x50,
  clz64: 0x79,
  ctz64: 0x7a,
  wrap: 0xa7,
  extendU: 0xad,
  toF64: 0xb9,
  fromF64: 0xb0,
} as const;

export function op(name: keyof typeof BINARY, a: Code, b: Code): Code {
  return [a, b, BINARY[name]];
}

export function unary(name: keyof typeof UNARY, a: Code): Code {
  return [a, UNARY[name]];
}

/** Opcode and alignment exponent of each memory access. */
const LOAD = {
  i32: [0x28, 2],
  i64: [0x29, 3],
  f64: [0x2b, 3],
  u8: [0x2d, 0],
  u16: [0x2f, 0],
  s32as64: [0x34, 2],
  u32as64: [0x35, 2],
} as const;
const STORE = { i32: [0x36, 2], i64: [0x37, 3], f64: [0x39, 3], u8: [0x3a, 0], low32: [0x3e, 2] } as const;

export function load(type: keyof typeof LOAD, address: Code, offset = 0): Code {
  const [opcode, align] = LOAD[type];
  return [address, opcode, align, ...unsigned(offset)];
}

export function storeAt(type: keyof typeof STORE, address: Code, value: Code, offset = 0): Code {
  const [opcode, align] = STORE[type];
  return [address, value, opcode, align, ...unsigned(offset)];
}

/** Returns code that loads a vector of 16 bytes. */
export function loadVector(address: Code, offset = 0): Code {
  return [address, 0xfd, 0x00, 0, ...unsigned(offset)];
}

export function storeVector(address: Code, value: Code, offset = 0): Code {
  return [address, value, 0xfd, 0x0b, 0, ...unsigned(offset)];
}

/** Returns code that copies bytes within the memory. The ranges may overlap. */
export function copyMemoryBytes(to: Code, from: Code, count: Code): Code {
  return [to, from, count, 0xfc, 0x0a, 0, 0];
}

export function fillBytes(to: Code, value: Code, count: Code): Code {
  return [to, value, count, 0xfc, 0x0b, 0];
}

const VECTOR = { and: 0x4e, or: 0x50, xor: 0x51 } as const;

export function vector(name: keyof typeof VECTOR, a: Code, b: Code): Code {
  return [a, b, 0xfd, VECTOR[name]];
}

export function notVector(a: Code): Code {
  return [a, 0xfd, 0x4d];
}

export const ZERO_VECTOR: Code = vectorOf(new Uint8Array(16));

/** Returns code for a constant vector of 16 bytes. */
export function vectorOf(bytes: Uint8Array): Code {
  return [0xfd, 0x0c, ...bytes];
}

/**
 * Opcodes of instructions with two vectors. A vector has four 32-bit or two 64-bit lanes. `low` and `high` multiply
 * signed lanes of the lower or upper half. Their products have double width.
 */
const LANES = {
  add32: 0xae,
  sub32: 0xb1,
  mul32: 0xb5,
  add64: 0xce,
  sub64: 0xd1,
  low: 0xdc,
  high: 0xdd,
} as const;
/** Opcodes of instructions with a vector and a shift count. */
const LANE_SHIFTS = { shl32: 0xab, shrS32: 0xac, shr64: 0xcd } as const;

export function lanes(name: keyof typeof LANES, a: Code, b: Code): Code {
  return [a, b, 0xfd, ...unsigned(LANES[name])];
}

export function shiftLanes(name: keyof typeof LANE_SHIFTS, a: Code, bits: number): Code {
  return [a, i32(bits), 0xfd, ...unsigned(LANE_SHIFTS[name])];
}

/**
 * Returns code that selects four 32-bit words from two vectors. Indexes 0 to 3 select words of the first vector.
 * Indexes 4 to 7 select words of the second vector.
 */
export function shuffle(a: Code, b: Code, words: readonly [number, number, number, number]): Code {
  return [a, b, 0xfd, 0x0d, ...words.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte))];
}

/** Returns code that computes 1 if any bit of a vector is set, else 0. */
export function isAnySet(a: Code): Code {
  return [a, 0xfd, 0x53];
}

export function br(depth: number): Code {
  return [0x0c, ...unsigned(depth)];
}

export function brIf(depth: number, condition: Code): Code {
  return [condition, 0x0d, ...unsigned(depth)];
}

export function brTable(index: Code, depths: readonly number[], otherwise: number): Code {
  return [index, 0x0e, ...unsigned(depths.length), ...depths.flatMap(unsigned), ...unsigned(otherwise)];
}

export function block(...body: Code[]): Code {
  return [0x02, VOID, ...body, 0x0b];
}

export function loop(...body: Code[]): Code {
  return [0x03, VOID, ...body, 0x0b];
}

export function when(condition: Code, then: Code, otherwise: Code = []): Code {
  return [condition, 0x04, VOID, then, otherwise.length > 0 ? [0x05, otherwise] : [], 0x0b];
}

/** Returns code that selects `a` if the condition is true, otherwise `b`. The code evaluates both operands. */
export function select(a: Code, b: Code, condition: Code): Code {
  return [a, b, condition, 0x1b];
}

export interface WasmFunction {
  readonly name: string;
  readonly params: readonly number[];
  readonly results: readonly number[];
  /** Types of the locals, without the parameters. The index of the first local is the number of parameters. */
  readonly locals: readonly number[];
  readonly body: Code;
}

interface WasmImport {
  readonly name: string;
  readonly params: readonly number[];
  readonly results: readonly number[];
}

/**
 * Assembles a module that imports one memory and the listed functions, and exports `functions`. In the module, the
 * indexes of `functions` start after those of the imported functions.
 */
export function assemble(imports: readonly WasmImport[], functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = [...imports, ...functions].map(({ params, results }) => [
    0x60,
    ...vec(params.map((type) => [type])),
    ...vec(results.map((type) => [type])),
  ]);
  const importRows = [
    [...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(1)],
    ...imports.map(({ name }, i) => [...text('env'), ...text(name), 0x00, ...unsigned(i)]),
  ];
  const bodies = functions.map(({ locals, body }) => {
    const bytes = vec(locals.map((type) => [1, type]));
    append(bytes, body);
    bytes.push(0x0b);
    return [...unsigned(bytes.length), ...bytes];
  });
  const exports = functions.map(({ name }, i) => [...text(name), 0x00, ...unsigned(imports.length + i)]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vec(types)),
    ...section(2, vec(importRows)),
    ...section(3, vec(functions.map((_, i) => unsigned(imports.length + i)))),
    ...section(7, vec(exports)),
    ...section(10, vec(bodies)),
  ]);
}

function append(bytes: number[], code: Code): void {
  for (const item of code) {
    if (typeof item === 'number') bytes.push(item);
    else append(bytes, item);
  }
}

function vec(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): number[] {
  const bytes = [...Buffer.from(value)];
  return [...unsigned(bytes.length), ...bytes];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}
