import { toUnsigned } from '../../primitives/bytes.js';

// Opcodes that the interpreters and tracers refer to by their byte value, and the layout of push data. Opcodes and
// layout are the same in all rule sets.

export const SLOAD_OPCODE = 0x54;
export const SSTORE_OPCODE = 0x55;
export const JUMPDEST_OPCODE = 0x5b;
/** PUSH0 has no push data. The opcodes of PUSH1 to PUSH32 follow it. */
const PUSH0 = 0x5f;
const PUSH32 = 0x7f;

/** Returns the number of push data bytes after an opcode; 0 if the opcode is not PUSH1 to PUSH32. */
export function wordBytesBehind(opcode: number): number {
  return opcode > PUSH0 && opcode <= PUSH32 ? opcode - PUSH0 : 0;
}

/** Returns the push data of the PUSH at `pc`. Bytes after the end of the code are zero. */
export function wordBehind(code: Uint8Array, pc: number): bigint {
  const size = wordBytesBehind(code[pc] ?? 0);
  if (size === 0) return 0n;
  const bytes = Buffer.alloc(size);
  bytes.set(code.subarray(pc + 1, pc + 1 + size));
  return size <= 6 ? BigInt(bytes.readUIntBE(0, size)) : toUnsigned(bytes);
}

const destinationsOf = new WeakMap<Uint8Array, Uint8Array>();

/**
 * Returns an array with one byte per code byte: 1 for a valid JUMPDEST, otherwise 0. Reference:
 * ProgramPrecompile.compile.
 */
export function jumpDestinations(code: Uint8Array): Uint8Array {
  const known = destinationsOf.get(code);
  if (known !== undefined) return known;
  const destinations = new Uint8Array(code.length);
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc] ?? 0;
    if (opcode === JUMPDEST_OPCODE) destinations[pc] = 1;
    pc += wordBytesBehind(opcode);
  }
  destinationsOf.set(code, destinations);
  return destinations;
}
