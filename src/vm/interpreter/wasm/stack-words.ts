import {
  type Code,
  get,
  i32,
  i64,
  load,
  loadVector,
  op,
  set,
  storeAt,
  storeVector,
  unary,
  ZERO_VECTOR,
} from '../../../crypto/wasm/assembler.js';
import { swapBytes } from '../../../crypto/wasm/swap-bytes.js';
import { itemAt } from '../../../primitives/assert.js';
import { SP, X } from './loop-state.js';

export const sp = get(SP);
export const [x0, x1, , , x4, x5, x6, x7, x8] = X.map((local) => get(local)) as [
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
  Code,
];

/** Returns code for the address of stack word `n`. Word 1 is the top of the stack, word 2 is below it. */
export function word(n: number): Code {
  return op('sub', sp, i32(32 * n));
}

export function limb(n: number, i: number): Code {
  return load('i64', word(n), 8 * i);
}

export function setLimb(n: number, i: number, value: Code): Code {
  return storeAt('i64', word(n), value, 8 * i);
}

export function drop(count: number): Code {
  return set(SP, op('sub', sp, i32(32 * count)));
}

export function loadLimbs(n: number, first: number): Code {
  return [0, 1, 2, 3].flatMap((i) => set(itemAt(X, first + i), limb(n, i)));
}

export function storeWordLimbs(n: number, first: number): Code {
  return [0, 1, 2, 3].flatMap((i) => setLimb(n, i, get(itemAt(X, first + i))));
}

/** Returns code that sets stack word `n` to a 64-bit number. */
export function setSmall(n: number, value: Code): Code {
  return [...setLimb(n, 0, value), ...setLimb(n, 1, i64(0n)), ...storeVector(word(n), ZERO_VECTOR, 16)];
}

export function pushSmall(value: Code): Code {
  return [
    ...storeAt('i64', sp, value),
    ...storeAt('i64', sp, i64(0n), 8),
    ...storeVector(sp, ZERO_VECTOR, 16),
    ...set(SP, op('add', sp, i32(32))),
  ];
}

export function copyWord(to: Code, from: Code): Code {
  return [...storeVector(to, loadVector(from)), ...storeVector(to, loadVector(from, 16), 16)];
}

/** Returns an expression that is 1 if stack word `n` is 2^64 or more, otherwise 0. */
export function isWide(n: number): Code {
  return unary('eqz', unary('eqz64', op('or64', op('or64', limb(n, 1), limb(n, 2)), limb(n, 3))));
}

/** Returns an expression that is 1 if stack word `n` is zero, otherwise 0. */
export function isZeroAt(n: number): Code {
  return unary(
    'eqz64',
    [0, 1, 2, 3].map((i) => limb(n, i)).reduce((a, b) => op('or64', a, b)),
  );
}

/**
 * Returns code that copies stack word `n` to memory in big-endian order. `address` must be a local, because the code
 * reads it several times.
 */
export function storeBigEndian(address: Code, n: number): Code {
  return [0, 1, 2, 3].flatMap((i) => storeAt('i64', address, swapBytes(limb(n, i), X[0]), 24 - 8 * i));
}

export function loadBigEndian(address: Code, to: Code): Code {
  return [
    ...[0, 1, 2, 3].flatMap((i) => set(itemAt(X, 1 + i), swapBytes(load('i64', address, 24 - 8 * i), X[0]))),
    ...[0, 1, 2, 3].flatMap((i) => storeAt('i64', to, get(itemAt(X, 1 + i)), 8 * i)),
  ];
}
