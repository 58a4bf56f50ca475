import { itemAt } from '../../../domain/assert.js';
import {
  br,
  brIf,
  type Code,
  get,
  I32,
  I64,
  i32,
  i64,
  load,
  loop,
  op,
  set,
  store,
  tee,
  unary,
  type WasmFunction,
  when,
} from '../../../wasm/assembler.js';

const MASK = i64(0xffffffffn);

/** mul(to, a, b): low 256 bits of a product of words in memory; `to` may be one of them. */
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
  for (let i = 0; i < 8; i++) body.push(store('low32', get(to), get(itemAt(r, i)), 4 * i));
  return { name: 'mul', params: [I32, I32, I32], results: [], locals: new Array<number>(26).fill(I64), body };
}

/** square(to, a): low 256 bits of a word times itself. Digits of different places meet twice: once is computed, and doubled. */
export function squareFunction(): WasmFunction {
  const [to, a] = [0, 1];
  const x = Array.from({ length: 8 }, (_, i) => 2 + i);
  const r = Array.from({ length: 8 }, (_, i) => 10 + i);
  const carry = 18;
  const t = 19;
  const next = (place: number): Code[] => [
    set(itemAt(r, place), op('and64', get(t), MASK)),
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
    for (const [place, half] of [
      [2 * i, op('and64', own, MASK)],
      [2 * i + 1, op('shr64', get(itemAt(x, i)), i64(32n))],
    ] as const) {
      const double = op('shl64', get(itemAt(r, place)), i64(1n));
      body.push(set(t, op('add64', op('add64', double, half), get(carry))), ...next(place));
    }
  }
  for (let i = 0; i < 8; i++) body.push(store('low32', get(to), get(itemAt(r, i)), 4 * i));
  return { name: 'square', params: [I32, I32], results: [], locals: new Array<number>(18).fill(I64), body };
}

/** product(to, a, b): all 512 bits, as 16 digits of 32 bits. */
export function productFunction(): WasmFunction {
  const [to, a, b] = [0, 1, 2];
  const [i, j, x, carry, t, at] = [3, 4, 5, 6, 7, 8];
  const digit = (base: number, index: Code) => op('add', get(base), op('shl', index, i32(2)));
  const body = [
    ...Array.from({ length: 8 }, (_, k) => store('i64', get(to), i64(0n), 8 * k)).flat(),
    ...set(i, i32(0)),
    ...loop(
      set(x, load('u32as64', digit(a, get(i)))),
      set(carry, i64(0n)),
      set(j, i32(0)),
      loop(
        set(at, digit(to, op('add', get(i), get(j)))),
        set(
          t,
          op(
            'add64',
            op('add64', op('mul64', get(x), load('u32as64', digit(b, get(j)))), load('u32as64', get(at))),
            get(carry),
          ),
        ),
        store('low32', get(at), get(t)),
        set(carry, op('shr64', get(t), i64(32n))),
        set(j, op('add', get(j), i32(1))),
        brIf(0, op('lt', get(j), i32(8))),
      ),
      store('low32', digit(to, op('add', get(i), i32(8))), get(carry)),
      set(i, op('add', get(i), i32(1))),
      brIf(0, op('lt', get(i), i32(8))),
    ),
  ];
  return { name: 'product', params: [I32, I32, I32], results: [], locals: [I32, I32, I64, I64, I64, I32], body };
}

/**
 * divide(number, digits, divisor, quotient): long division of a number of up to 16 digits of 32 bits by a word, not zero.
 * `number` has room for one digit more and holds the remainder afterwards, in 8 digits; the quotient gets `digits` + 1 digits.
 * Reference: Knuth, algorithm D.
 */
export function divideFunction(scratch: number): WasmFunction {
  const [number, digits, divisor, quotient] = [0, 1, 2, 3];
  const [n, shift, j, i, at] = [4, 5, 6, 7, 8];
  const [carry, t, q, rest, top, next, borrow, p] = [9, 10, 11, 12, 13, 14, 15, 16];
  const v = (index: Code) => op('add', op('shl', index, i32(2)), i32(scratch));
  const u = (index: Code) => op('add', get(number), op('shl', index, i32(2)));
  const shift64 = unary('extendU', get(shift));
  const back64 = op('sub64', i64(32n), shift64);
  const minus1 = (index: number) => op('sub', get(index), i32(1));
  const plus1 = (index: number) => op('add', get(index), i32(1));
  const body = [
    // Digits of the divisor without leading zeros.
    ...set(n, i32(8)),
    ...loop(
      when(unary('eqz', load('i32', op('add', get(divisor), op('shl', minus1(n), i32(2))))), [
        ...set(n, minus1(n)),
        ...br(1),
      ]),
    ),
    // Shift, so that its highest bit is set.
    ...set(
      shift,
      unary(
        'wrap',
        op('sub64', unary('clz64', load('u32as64', op('add', get(divisor), op('shl', minus1(n), i32(2))))), i64(32n)),
      ),
    ),
    ...set(carry, i64(0n)),
    ...set(i, i32(0)),
    ...loop(
      set(
        t,
        op(
          'or64',
          op('shl64', load('u32as64', op('add', get(divisor), op('shl', get(i), i32(2)))), shift64),
          get(carry),
        ),
      ),
      store('low32', v(get(i)), get(t)),
      set(carry, op('shr64', get(t), i64(32n))),
      set(i, plus1(i)),
      brIf(0, op('lt', get(i), get(n))),
    ),
    ...set(carry, i64(0n)),
    ...set(i, i32(0)),
    ...loop(
      set(t, op('or64', op('shl64', load('u32as64', u(get(i))), shift64), get(carry))),
      store('low32', u(get(i)), get(t)),
      set(carry, op('shr64', get(t), i64(32n))),
      set(i, plus1(i)),
      brIf(0, op('lt', get(i), get(digits))),
    ),
    ...store('low32', u(get(digits)), get(carry)),
    // Quotient digits above those that can be.
    ...set(i, i32(0)),
    ...loop(
      store('i32', op('add', get(quotient), op('shl', get(i), i32(2))), i32(0)),
      set(i, plus1(i)),
      brIf(0, op('le', get(i), get(digits))),
    ),
    ...set(top, load('u32as64', v(minus1(n)))),
    ...set(next, i64(0n)),
    ...when(op('gt', get(n), i32(1)), set(next, load('u32as64', v(op('sub', get(n), i32(2)))))),
    ...set(j, op('sub', get(digits), get(n))),
    ...when(
      op('ge', get(digits), get(n)),
      loop(
        set(at, u(op('add', get(j), get(n)))),
        set(
          t,
          op('or64', op('shl64', load('u32as64', get(at)), i64(32n)), load('u32as64', op('sub', get(at), i32(4)))),
        ),
        set(q, op('div64', get(t), get(top))),
        set(rest, op('rem64', get(t), get(top))),
        // At most two too many.
        loop(
          when(
            op(
              'or',
              op('gt64', get(q), MASK),
              op(
                'and',
                op('gt', get(n), i32(1)),
                op(
                  'gt64',
                  op('mul64', op('and64', get(q), MASK), get(next)),
                  op('or64', op('shl64', get(rest), i64(32n)), load('u32as64', op('sub', get(at), i32(8)))),
                ),
              ),
            ),
            [
              ...set(q, op('sub64', get(q), i64(1n))),
              ...set(rest, op('add64', get(rest), get(top))),
              ...brIf(1, op('le', unary('wrap', op('shr64', get(rest), i64(32n))), i32(0))),
            ],
          ),
        ),
        set(borrow, i64(0n)),
        set(carry, i64(0n)),
        set(i, i32(0)),
        loop(
          set(at, u(op('add', get(i), get(j)))),
          set(p, op('add64', op('mul64', get(q), load('u32as64', v(get(i)))), get(carry))),
          set(carry, op('shr64', get(p), i64(32n))),
          set(t, op('sub64', op('sub64', load('u32as64', get(at)), get(borrow)), op('and64', get(p), MASK))),
          store('low32', get(at), get(t)),
          set(borrow, op('and64', op('shr64', get(t), i64(32n)), i64(1n))),
          set(i, plus1(i)),
          brIf(0, op('lt', get(i), get(n))),
        ),
        set(at, u(op('add', get(j), get(n)))),
        set(t, op('sub64', op('sub64', load('u32as64', get(at)), get(borrow)), get(carry))),
        store('low32', get(at), get(t)),
        when(op('ne64', op('shr64', get(t), i64(63n)), i64(0n)), [
          // One too many after all: add the divisor back.
          ...set(q, op('sub64', get(q), i64(1n))),
          ...set(carry, i64(0n)),
          ...set(i, i32(0)),
          ...loop(
            set(at, u(op('add', get(i), get(j)))),
            set(t, op('add64', op('add64', load('u32as64', get(at)), load('u32as64', v(get(i)))), get(carry))),
            store('low32', get(at), get(t)),
            set(carry, op('shr64', get(t), i64(32n))),
            set(i, plus1(i)),
            brIf(0, op('lt', get(i), get(n))),
          ),
          ...set(at, u(op('add', get(j), get(n)))),
          ...store('low32', get(at), op('add64', load('u32as64', get(at)), get(carry))),
        ]),
        store('low32', op('add', get(quotient), op('shl', get(j), i32(2))), get(q)),
        set(j, minus1(j)),
        brIf(0, unary('eqz', op('ltS', get(j), i32(0)))),
      ),
    ),
    // The remainder, shifted back.
    ...set(i, i32(0)),
    ...loop(
      set(at, u(get(i))),
      set(
        t,
        op('or64', op('shl64', load('u32as64', get(at), 4), back64), op('shr64', load('u32as64', get(at)), shift64)),
      ),
      when(op('lt', get(i), get(n)), store('low32', get(at), get(t)), store('i32', get(at), i32(0))),
      set(i, plus1(i)),
      brIf(0, op('lt', get(i), i32(8))),
    ),
  ];
  return {
    name: 'divide',
    params: [I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32, I32, I32, ...new Array<number>(8).fill(I64)],
    body,
  };
}
