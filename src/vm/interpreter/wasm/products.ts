import {
  type Code,
  get,
  I32,
  I64,
  i64,
  load,
  op,
  set,
  storeAt,
  tee,
  unary,
  type WasmFunction,
  when,
} from '../../../crypto/wasm/assembler.js';
import { itemAt } from '../../../primitives/assert.js';

export const MASK = i64(0xffffffffn);

/** Builds `mul(to, a, b)`: low 256 bits of the product of two words in memory. `to` may equal `a` or `b`. */
export function multiplyFunction(): WasmFunction {
  const [to, a, b] = [0, 1, 2];
  const x = Array.from({ length: 8 }, (_, i) => 3 + i);
  const y = Array.from({ length: 8 }, (_, i) => 11 + i);
  const r = Array.from({ length: 8 }, (_, i) => 19 + i);
  const carry = 27;
  const t = 28;
  const body: Code[] = [];
  for (let i = 0; i < 8; i++) {
    body.push(set(itemAt(x, i), load('u32as64', get(a), 4 * i)), set(itemAt(y, i), load('u32as64', get(b), 4 * i)));
    body.push(set(itemAt(r, i), i64(0n)));
  }
  for (let i = 0; i < 8; i++) {
    const row: Code[] = [set(carry, i64(0n))];
    for (let j = 0; i + j < 8; j++) {
      const product = op('mul64', get(itemAt(x, i)), get(itemAt(y, j)));
      row.push(set(t, op('add64', op('add64', product, get(itemAt(r, i + j))), get(carry))));
      row.push(set(itemAt(r, i + j), op('and64', get(t), MASK)));
      if (i + j < 7) row.push(set(carry, op('shr64', get(t), i64(32n))));
    }
    body.push(when(unary('eqz64', get(itemAt(x, i))), [], row));
  }
  for (let i = 0; i < 8; i++) body.push(storeAt('low32', get(to), get(itemAt(r, i)), 4 * i));
  return { name: 'mul', params: [I32, I32, I32], results: [], locals: new Array<number>(26).fill(I64), body };
}

/**
 * Builds `square(to, a)`: low 256 bits of the square of a word. A square contains the product of two different digits
 * twice, so it is computed once and doubled.
 */
export function squareFunction(): WasmFunction {
  const [to, a] = [0, 1];
  const x = Array.from({ length: 8 }, (_, i) => 2 + i);
  const r = Array.from({ length: 8 }, (_, i) => 10 + i);
  const carry = 18;
  const t = 19;
  const next = (limb: number): Code[] => [
    set(itemAt(r, limb), op('and64', get(t), MASK)),
    set(carry, op('shr64', get(t), i64(32n))),
  ];
  const body: Code[] = [];
  for (let i = 0; i < 8; i++) body.push(set(itemAt(x, i), load('u32as64', get(a), 4 * i)), set(itemAt(r, i), i64(0n)));
  for (let i = 0; i < 4; i++) {
    const row: Code[] = [set(carry, i64(0n))];
    for (let j = i + 1; i + j < 8; j++) {
      const product = op('mul64', get(itemAt(x, i)), get(itemAt(x, j)));
      row.push(set(t, op('add64', op('add64', product, get(itemAt(r, i + j))), get(carry))), ...next(i + j));
    }
    body.push(when(unary('eqz64', get(itemAt(x, i))), [], row));
  }
  body.push(set(carry, i64(0n)));
  for (let i = 0; i < 4; i++) {
    const own = tee(itemAt(x, i), op('mul64', get(itemAt(x, i)), get(itemAt(x, i))));
    for (const [limb, half] of [
      [2 * i, op('and64', own, MASK)],
      [2 * i + 1, op('shr64', get(itemAt(x, i)), i64(32n))],
    ] as const) {
      const double = op('shl64', get(itemAt(r, limb)), i64(1n));
      body.push(set(t, op('add64', op('add64', double, half), get(carry))), ...next(limb));
    }
  }
  for (let i = 0; i < 8; i++) body.push(storeAt('low32', get(to), get(itemAt(r, i)), 4 * i));
  return { name: 'square', params: [I32, I32], results: [], locals: new Array<number>(18).fill(I64), body };
}

/** Builds `product(to, a, b)`: all 512 bits of a product, as 16 digits of 32 bits. */
export function productFunction(): WasmFunction {
  const [to, a, b] = [0, 1, 2];
  const x = 3;
  const y = Array.from({ length: 8 }, (_, i) => 4 + i);
  const r = Array.from({ length: 16 }, (_, i) => 12 + i);
  const t = 28;
  const body: Code[] = [
    ...y.map((local, i) => set(local, load('u32as64', get(b), 4 * i))),
    ...r.map((local) => set(local, i64(0n))),
  ];
  for (let i = 0; i < 8; i++) {
    // The upper 32 bits of the local t are the carry to the next digit.
    const row = y.flatMap((digit, j) => [
      set(
        t,
        op(
          'add64',
          op('add64', op('mul64', get(x), get(digit)), get(itemAt(r, i + j))),
          j === 0 ? i64(0n) : op('shr64', get(t), i64(32n)),
        ),
      ),
      set(itemAt(r, i + j), op('and64', get(t), MASK)),
    ]);
    row.push(set(itemAt(r, i + 8), op('shr64', get(t), i64(32n))));
    body.push(set(x, load('u32as64', get(a), 4 * i)), when(unary('eqz64', get(x)), [], row));
  }
  for (let i = 0; i < 16; i++) body.push(storeAt('low32', get(to), get(itemAt(r, i)), 4 * i));
  return { name: 'product', params: [I32, I32, I32], results: [], locals: new Array<number>(26).fill(I64), body };
}
