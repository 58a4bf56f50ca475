import type { OpRun } from '../interpreter/op-run.js';

type Run = (run: OpRun) => void;

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

function signExtend(place: bigint, word: bigint): bigint {
  return place >= 31n ? word : BigInt.asIntN(Number(place) * 8 + 8, word);
}

/** Arithmetic, comparison and bits, by byte. Reference: OperationActions, DataWord. */
export const arithmetic: Readonly<Record<number, Run>> = {
  1: binary((a, b) => a + b),
  2: binary((a, b) => a * b),
  3: binary((a, b) => a - b),
  4: binary((a, b) => (b === 0n ? 0n : a / b)),
  5: binary((a, b) => (b === 0n ? 0n : signed(a) / signed(b))),
  6: binary(remainder),
  7: binary((a, b) => remainder(signed(a), signed(b))),
  8: ternary((a, b, m) => remainder(a + b, m)),
  9: ternary((a, b, m) => remainder(a * b, m)),
  10: binary(power),
  11: binary(signExtend),
  16: test((a, b) => a < b),
  17: test((a, b) => a > b),
  18: test((a, b) => signed(a) < signed(b)),
  19: test((a, b) => signed(a) > signed(b)),
  20: test((a, b) => a === b),
  21: (run) => run.pushBoolean(run.pop() === 0n),
  22: binary((a, b) => a & b),
  23: binary((a, b) => a | b),
  24: binary((a, b) => a ^ b),
  25: (run) => run.push(BigInt.asUintN(256, ~run.pop())),
  26: binary((place, word) => (place >= 32n ? 0n : (word >> (8n * (31n - place))) & 0xffn)),
  27: binary((by, word) => (by >= WORD ? 0n : word << by)),
  28: binary((by, word) => (by >= WORD ? 0n : word >> by)),
  29: binary((by, word) => signed(word) >> (by >= WORD ? WORD : by)),
};
