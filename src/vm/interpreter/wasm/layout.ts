/** Where things lie in the engine's linear memory, in bytes. */
export const LAYOUT = {
  /** Registers of the inner loop while JavaScript has control; see `Register`. */
  registers: 64,
  /** Round constants of Keccak. */
  keccakTable: 1024,
  keccakState: 1280,
  /** Scratch for division: divisor, number, quotient, products. */
  divisor: 2048,
  number: 2112,
  quotient: 2240,
  wordA: 2368,
  wordB: 2400,
  wordC: 2432,
  hash: 2464,
  stack: 65_536,
  /** Prepared code; see `prepare-code.ts`. */
  code: 65_536 + 66 * 33_024,
  codeBytes: 64 * 1024 * 1024,
} as const;

/** First byte of call data and memory of programs. */
export const ARENA = LAYOUT.code + LAYOUT.codeBytes;
/** Stack of one call: 1024 words, and room for one in passing. */
export const STACK_BYTES = 33_024;

/** Byte offsets of the registers behind `LAYOUT.registers`. `left` to `callValue` are doubles. */
export const REGISTER = {
  ip: 0,
  sp: 4,
  stackBase: 8,
  memoryBase: 12,
  memorySize: 16,
  memoryCapacity: 20,
  dataBase: 24,
  dataLength: 28,
  jumpBase: 32,
  codeLength: 36,
  segmentBase: 40,
  /** 1: nothing may be written. */
  isStatic: 44,
  /** Why the loop stopped: an opcode, or `FAILED_SEGMENT`. */
  status: 48,
  /** What the instruction carried: its place in the code, mostly. */
  operand: 52,
  returnSize: 56,
  /** Price of energy in 1/10000. */
  factor: 60,
  left: 64,
  usage: 72,
  penalty: 80,
  reserve: 88,
  /** SUN that the call carries; negative where a double does not hold them. */
  callValue: 96,
  /** The code itself. */
  codeBase: 104,
} as const;

/** Instructions of prepared code beside the opcodes; the bytes of those that are none are free in all rule sets. */
export const INSTRUCTION = {
  stop: 0x00,
  segment: 0x0c,
  /** A byte that the rules do not have. */
  invalid: 0x0d,
  pushSmall: 0x60,
  pushWord: 0x61,
  jumpTo: 0x62,
  jumpToIf: 0x63,
  /** All of DUP and SWAP: what they carry is the distance in bytes. */
  duplicate: 0x80,
  swap: 0x90,
} as const;

/** Added to the opcode in a status: its price is paid and its memory is there, what is left is its effect. */
export const PAID = 0x200;
/** Status: the segment at `ip` cannot be paid, or does not fit the stack. */
export const FAILED_SEGMENT = 0x100;
/** Bytes of a segment's row: cost, cost without penalty, least and greatest height of the stack in bytes. */
export const SEGMENT_BYTES = 16;
