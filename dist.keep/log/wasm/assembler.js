export const I32 = 0x7f;
export const I64 = 0x7e;
const VOID = 0x40;
function unsigned(value) {
    const bytes = [];
    let rest = value >>> 0;
    do {
        const byte = rest & 0x7f;
        rest >>>= 7;
        bytes.push(rest === 0 ? byte : byte | 0x80);
    } while (rest !== 0);
    return bytes;
}
function signed(value) {
    const bytes = [];
    let rest = value;
    for (;;) {
        const byte = Number(rest & 0x7fn);
        rest >>= 7n;
        const isLast = (rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0);
        bytes.push(isLast ? byte : byte | 0x80);
        if (isLast)
            return bytes;
    }
}
export function i32(value) {
    return [0x41, ...signed(BigInt(value | 0))];
}
export function i64(value) {
    return [0x42, ...signed(BigInt.asIntN(64, value))];
}
export function get(local) {
    return [0x20, ...unsigned(local)];
}
export function set(local, value) {
    return [value, 0x21, ...unsigned(local)];
}
export function tee(local, value) {
    return [value, 0x22, ...unsigned(local)];
}
export function call(index, ...operands) {
    return [...operands, 0x10, ...unsigned(index)];
}
/** Opcodes of two operands. */
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
};
/** Opcodes of one operand. */
const UNARY = {
    eqz: 0x45,
    eqz64: 0x50,
    clz64: 0x79,
    wrap: 0xa7,
    extendU: 0xad,
    toF64: 0xb9,
    fromF64: 0xb0,
};
export function op(name, a, b) {
    return [a, b, BINARY[name]];
}
export function unary(name, a) {
    return [a, UNARY[name]];
}
/** Memory access: opcode and alignment exponent. */
const LOAD = { i32: [0x28, 2], i64: [0x29, 3], f64: [0x2b, 3], u8: [0x2d, 0], u32as64: [0x35, 2] };
const STORE = { i32: [0x36, 2], i64: [0x37, 3], f64: [0x39, 3], u8: [0x3a, 0], low32: [0x3e, 2] };
export function load(type, address, offset = 0) {
    const [opcode, align] = LOAD[type];
    return [address, opcode, align, ...unsigned(offset)];
}
export function store(type, address, value, offset = 0) {
    const [opcode, align] = STORE[type];
    return [address, value, opcode, align, ...unsigned(offset)];
}
/** 16 bytes at a time. */
export function loadVector(address, offset = 0) {
    return [address, 0xfd, 0x00, 0, ...unsigned(offset)];
}
export function storeVector(address, value, offset = 0) {
    return [address, value, 0xfd, 0x0b, 0, ...unsigned(offset)];
}
const VECTOR = { and: 0x4e, or: 0x50, xor: 0x51 };
export function vector(name, a, b) {
    return [a, b, 0xfd, VECTOR[name]];
}
export function notVector(a) {
    return [a, 0xfd, 0x4d];
}
export const ZERO_VECTOR = [0xfd, 0x0c, ...new Array(16).fill(0)];
export function br(depth) {
    return [0x0c, ...unsigned(depth)];
}
export function brIf(depth, condition) {
    return [condition, 0x0d, ...unsigned(depth)];
}
export function brTable(index, depths, otherwise) {
    return [index, 0x0e, ...unsigned(depths.length), ...depths.flatMap(unsigned), ...unsigned(otherwise)];
}
export function block(...body) {
    return [0x02, VOID, ...body, 0x0b];
}
export function loop(...body) {
    return [0x03, VOID, ...body, 0x0b];
}
export function when(condition, then, otherwise = []) {
    return [condition, 0x04, VOID, then, otherwise.length > 0 ? [0x05, otherwise] : [], 0x0b];
}
/** `a` where the condition holds, otherwise `b`; both are computed. */
export function select(a, b, condition) {
    return [a, b, condition, 0x1b];
}
/** A module over one imported memory; every function is exported. Imports come first in the numbering of functions. */
export function assemble(imports, functions) {
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
function append(bytes, code) {
    for (const item of code) {
        if (typeof item === 'number')
            bytes.push(item);
        else
            append(bytes, item);
    }
}
function vec(items) {
    return [...unsigned(items.length), ...items.flat()];
}
function text(value) {
    const bytes = [...Buffer.from(value)];
    return [...unsigned(bytes.length), ...bytes];
}
function section(id, content) {
    return [id, ...unsigned(content.length), ...content];
}
//# sourceMappingURL=assembler.js.map