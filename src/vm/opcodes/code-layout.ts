import { toHex } from '../../primitives/bytes.js';

// Operations that are looked for by their byte, and which bytes of a program are words to push: the same under all
// rules.

export const SLOAD_OPCODE = 0x54;
export const SSTORE_OPCODE = 0x55;
export const JUMPDEST_OPCODE = 0x5b;
/** Pushes no byte; PUSH1 and the others follow. */
const PUSH0 = 0x5f;
const PUSH32 = 0x7f;

/** Bytes of the word that stands in the code behind an operation. */
export function wordBytesBehind(opcode: number): number {
  return opcode > PUSH0 && opcode <= PUSH32 ? opcode - PUSH0 : 0;
}

/** The word behind the PUSH at a place; what the code ends before is zeros. */
export function wordBehind(code: Uint8Array, pc: number): bigint {
  const size = wordBytesBehind(code[pc] ?? 0);
  if (size === 0) return 0n;
  const bytes = Buffer.alloc(size);
  bytes.set(code.subarray(pc + 1, pc + 1 + size));
  return size <= 6 ? BigInt(bytes.readUIntBE(0, size)) : BigInt(`0x${toHex(bytes)}`);
}

const destinationsOf = new WeakMap<Uint8Array, Uint8Array>();

/** A byte for each byte of the code: 1 where a JUMPDEST stands. Reference: ProgramPrecompile.compile. */
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
