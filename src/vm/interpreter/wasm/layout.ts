/** Addresses in the linear memory of the WebAssembly engine, in bytes. */
export const LAYOUT = {
  /** The registers of the loop are stored here while JavaScript runs; see `REGISTER`. */
  registers: 64,
  /** Round constants of Keccak. */
  keccakTable: 1024,
  keccakState: 1280,
  /** Scratch memory of the division functions: divisor, number, quotient, products. */
  divisor: 2048,
  number: 2112,
  quotient: 2240,
  wordA: 2368,
  wordB: 2400,
  wordC: 2432,
  hash: 2464,
  stack: 65_536,
  /** Prepared code; see `code-preparer.ts`. */
  code: 65_536 + 66 * 33_024,
  codeBytes: 64 * 1024 * 1024,
} as const;

/** First byte of the call data and memory of programs. */
export const ARENA = LAYOUT.code + LAYOUT.codeBytes;
/**
 * Stack of one call, in bytes: 1024 words, and eight more words. An operation may use the first of the eight words
 * temporarily.
 */
export const STACK_BYTES = 33_024;

/**
 * Byte offsets of the registers from `LAYOUT.registers`. The registers from `left` to `callValue` are doubles, the
 * others are 32-bit integers.
 */
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
  /** 1 in a static call, which must not change the state; 0 in other calls. */
  isStatic: 44,
  /**
   * Reason why the loop stopped: `FAILED_SEGMENT`, or the opcode that JavaScript must execute. For an opcode, the
   * flag `PAID` can also be set.
   */
  status: 48,
  /**
   * Operand of the instruction at which the loop stopped. For an opcode, it is usually the code offset of the
   * operation. For `FAILED_SEGMENT`, it is the offset of the segment's row in the segment table.
   */
  operand: 52,
  returnSize: 56,
  /** Energy factor of the contract in units of 1/10000. */
  factor: 60,
  left: 64,
  usage: 72,
  penalty: 80,
  reserve: 88,
  /** Call value in SUN; −1 if it is above 2^53 − 1. */
  callValue: 96,
  /** Address of the bytecode. */
  codeBase: 104,
} as const;

/**
 * Instructions of prepared code that are not EVM opcodes, except for `stop`, which is also the opcode STOP. Each of
 * the others uses a byte that is not an opcode, or the byte of an opcode that does not occur in prepared code: PUSH,
 * DUP and SWAP.
 */
export const INSTRUCTION = {
  stop: 0x00,
  segment: 0x0c,
  /** Instruction for a code byte that is not an opcode in this rule set. */
  invalid: 0x0d,
  pushSmall: 0x60,
  pushWord: 0x61,
  jumpTo: 0x62,
  jumpToIf: 0x63,
  /** Replaces all DUP opcodes. The operand is the distance of the copied word from the end of the stack, in bytes. */
  duplicate: 0x80,
  swap: 0x90,
} as const;

/**
 * Flag in the status, next to the opcode: the price and the memory growth of the operation are already charged, so
 * that JavaScript only executes the operation.
 */
export const PAID = 0x200;
/**
 * Status if a segment cannot start: the remaining energy of the slice is too small, or the stack is too low or too
 * high. `REGISTER.operand` is the offset of the segment's row in the segment table.
 */
export const FAILED_SEGMENT = 0x100;
/**
 * Size of a row of the segment table, in bytes. A row has four 32-bit numbers: cost with penalty, cost without penalty,
 * and minimum and maximum stack height in bytes.
 */
export const SEGMENT_BYTES = 16;
