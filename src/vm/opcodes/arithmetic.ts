import type { Run } from './op-run.js';

const WORD = 256n;
const MODULUS = 1n << WORD;

function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word);
}

function binary(apply: (a: bigint, b: bigint) => bigint): Run {
  return (run) => {
    const a = run.pop();
    run.push(BigInt.asUintN(256, apply(a, run.pop())));
  };
}

function ternary(apply: (a: bigint, b: bigint, c: bigint) => bigint): Run {
  return (run) => {
    const a = run.pop();
    const b = run.pop();
    run.push(apply(a, b, run.pop()));
  };
}

function test(apply: (a: bigint, b: bigint) => boolean): Run {
  return binary((a, b) => (apply(a, b) ? 1n : 0n));
}

function remainder(a: bigint, b: bigint): bigint {
  return b === 0n ? 0n : a % b;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % MODULUS;
    square = (square * square) % MODULUS;
  }
  return result;
}

function signExtend(byteIndex: bigint, word: bigint): bigint {
  return byteIndex >= 31n ? word : BigInt.asIntN(Number(byteIndex) * 8 + 8, word);
}

/** Returns the number of leading zero bits; 256 if the word is zero. */
function leadingZeros(word: bigint): bigint {
  return word === 0n ? WORD : WORD - BigInt(word.toString(2).length);
}

/** Operations of arithmetic, comparison and bits. Reference: OperationActions, DataWord. */
export const arithmetic = {
  add: binary((a, b) => a + b),
  multiply: binary((a, b) => a * b),
  subtract: binary((a, b) => a - b),
  divide: binary((a, b) => (b === 0n ? 0n : a / b)),
  divideSigned: binary((a, b) => (b === 0n ? 0n : signed(a) / signed(b))),
  modulo: binary(remainder),
  moduloSigned: binary((a, b) => remainder(signed(a), signed(b))),
  addModulo: ternary((a, b, m) => remainder(a + b, m)),
  multiplyModulo: ternary((a, b, m) => remainder(a * b, m)),
  power: binary(power),
  signExtend: binary(signExtend),
  less: test((a, b) => a < b),
  greater: test((a, b) => a > b),
  lessSigned: test((a, b) => signed(a) < signed(b)),
  greaterSigned: test((a, b) => signed(a) > signed(b)),
  equal: test((a, b) => a === b),
  isZero: (run) => run.pushBoolean(run.pop() === 0n),
  and: binary((a, b) => a & b),
  or: binary((a, b) => a | b),
  xor: binary((a, b) => a ^ b),
  not: (run) => run.push(BigInt.asUintN(256, ~run.pop())),
  byte: binary((byteIndex, word) => (byteIndex >= 32n ? 0n : (word >> (8n * (31n - byteIndex))) & 0xffn)),
  shiftLeft: binary((by, word) => (by >= WORD ? 0n : word << by)),
  shiftRight: binary((by, word) => (by >= WORD ? 0n : word >> by)),
  shiftSigned: binary((by, word) => signed(word) >> (by >= WORD ? WORD : by)),
  leadingZeros: (run) => run.push(leadingZeros(run.pop())),
} satisfies Record<string, Run>;
