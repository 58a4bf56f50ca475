import { TronError } from './errors.js';

export const INT64_MAX = 0x7fffffffffffffffn;
export const INT64_MIN = -0x8000000000000000n;

/** Error of Java's long arithmetic: an overflow or a division by zero. Reference: `ArithmeticException`. */
export class ArithmeticError extends TronError<'ARITHMETIC'> {
  constructor(message: string) {
    super('ARITHMETIC', message);
  }
}

/**
 * Returns the value if it fits a Java long. @throws {ArithmeticError} with the text that clients of java-tron receive
 */
function exact64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ArithmeticError('long overflow');
  return value;
}

/** Adds two longs. Reference: Math.addExact. @throws {ArithmeticError} `long overflow` */
export function addExact(a: bigint, b: bigint): bigint {
  return exact64(a + b);
}

/** Subtracts two longs. Reference: Math.subtractExact. @throws {ArithmeticError} `long overflow` */
export function subExact(a: bigint, b: bigint): bigint {
  return exact64(a - b);
}

/** Multiplies two longs. Reference: Math.multiplyExact. @throws {ArithmeticError} `long overflow` */
export function mulExact(a: bigint, b: bigint): bigint {
  return exact64(a * b);
}

/** Returns the result of unchecked long arithmetic in Java: the low 64 bits, signed. */
export function wrap64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

/** Divides and rounds down. Reference: Math.floorDiv. @throws {ArithmeticError} `/ by zero` */
export function floorDiv(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new ArithmeticError('/ by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Divides like Java's `/` on longs, which truncates. @throws {ArithmeticError} `/ by zero` */
export function div64(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new ArithmeticError('/ by zero');
  return wrap64(a / b);
}

/**
 * Returns the value if it fits a Java long. Reference: BigInteger.longValueExact.
 * @throws {ArithmeticError} the value does not fit
 */
export function longValueExact(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ArithmeticError('BigInteger out of long range');
  return value;
}

export function min64(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max64(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
