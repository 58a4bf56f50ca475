import {
  block,
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
  storeAt,
  unary,
  type WasmFunction,
  when,
} from '../../../crypto/wasm/assembler.js';
import { itemAt } from '../../../primitives/assert.js';
import { MASK } from './products.js';

/**
 * Builds `divide(number, digits, divisor, quotient)`: long division of a number by a word that is not zero. A digit
 * has 32 bits. The number has `digits` digits, at most 16, and needs memory for one more digit. After the call,
 * `number` contains the remainder in 8 digits. The quotient has `digits` + 1 digits. Reference: Knuth, algorithm D.
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
    // Count the digits of the divisor without leading zeros.
    ...set(n, i32(8)),
    ...loop(
      when(unary('eqz', load('i32', op('add', get(divisor), op('shl', minus1(n), i32(2))))), [
        ...set(n, minus1(n)),
        ...br(1),
      ]),
    ),
    // Shift left until the highest bit of the divisor is set.
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
      storeAt('low32', v(get(i)), get(t)),
      set(carry, op('shr64', get(t), i64(32n))),
      set(i, plus1(i)),
      brIf(0, op('lt', get(i), get(n))),
    ),
    ...set(carry, i64(0n)),
    ...set(i, i32(0)),
    ...loop(
      set(t, op('or64', op('shl64', load('u32as64', u(get(i))), shift64), get(carry))),
      storeAt('low32', u(get(i)), get(t)),
      set(carry, op('shr64', get(t), i64(32n))),
      set(i, plus1(i)),
      brIf(0, op('lt', get(i), get(digits))),
    ),
    ...storeAt('low32', u(get(digits)), get(carry)),
    // Clear the quotient, because the code below does not write its highest digits.
    ...set(i, i32(0)),
    ...loop(
      storeAt('i32', op('add', get(quotient), op('shl', get(i), i32(2))), i32(0)),
      set(i, plus1(i)),
      brIf(0, op('le', get(i), get(digits))),
    ),
    // Skip the leading zeros of the number.
    ...block(
      loop(
        brIf(1, op('le', get(digits), i32(1))),
        brIf(1, load('i32', u(get(digits)))),
        brIf(1, load('i32', u(minus1(digits)))),
        set(digits, minus1(digits)),
        br(0),
      ),
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
        set(rest, op('sub64', get(t), op('mul64', get(q), get(top)))),
        // The estimated quotient digit is too large by at most 2.
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
          storeAt('low32', get(at), get(t)),
          set(borrow, op('and64', op('shr64', get(t), i64(32n)), i64(1n))),
          set(i, plus1(i)),
          brIf(0, op('lt', get(i), get(n))),
        ),
        set(at, u(op('add', get(j), get(n)))),
        set(t, op('sub64', op('sub64', load('u32as64', get(at)), get(borrow)), get(carry))),
        storeAt('low32', get(at), get(t)),
        when(op('ne64', op('shr64', get(t), i64(63n)), i64(0n)), [
          // Add the divisor back, because the estimated quotient digit was too large by 1.
          ...set(q, op('sub64', get(q), i64(1n))),
          ...set(carry, i64(0n)),
          ...set(i, i32(0)),
          ...loop(
            set(at, u(op('add', get(i), get(j)))),
            set(t, op('add64', op('add64', load('u32as64', get(at)), load('u32as64', v(get(i)))), get(carry))),
            storeAt('low32', get(at), get(t)),
            set(carry, op('shr64', get(t), i64(32n))),
            set(i, plus1(i)),
            brIf(0, op('lt', get(i), get(n))),
          ),
          ...set(at, u(op('add', get(j), get(n)))),
          ...storeAt('low32', get(at), op('add64', load('u32as64', get(at)), get(carry))),
        ]),
        storeAt('low32', op('add', get(quotient), op('shl', get(j), i32(2))), get(q)),
        set(j, minus1(j)),
        brIf(0, unary('eqz', op('ltS', get(j), i32(0)))),
      ),
    ),
    // Shift the remainder back to undo the normalization.
    ...set(i, i32(0)),
    ...loop(
      set(at, u(get(i))),
      set(
        t,
        op('or64', op('shl64', load('u32as64', get(at), 4), back64), op('shr64', load('u32as64', get(at)), shift64)),
      ),
      when(op('lt', get(i), get(n)), storeAt('low32', get(at), get(t)), storeAt('i32', get(at), i32(0))),
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

/**
 * Builds `divideSmall(number, divisor, quotient)`: divides a word by a divisor that is not zero and is below 2^32.
 * After the call, `number` contains the remainder.
 */
export function divideSmallFunction(): WasmFunction {
  const [number, divisor, quotient] = [0, 1, 2];
  const [rest, q] = [3, 4];
  const body: Code[] = [set(rest, i64(0n))];
  for (let i = 7; i >= 0; i--) {
    body.push(
      set(rest, op('or64', op('shl64', get(rest), i64(32n)), load('u32as64', get(number), 4 * i))),
      set(q, i64(0n)),
      when(op('ge64', get(rest), get(divisor)), [
        ...set(q, op('div64', get(rest), get(divisor))),
        ...set(rest, op('sub64', get(rest), op('mul64', get(q), get(divisor)))),
      ]),
      storeAt('low32', get(quotient), get(q), 4 * i),
    );
  }
  body.push(storeAt('i64', get(number), get(rest)));
  for (let i = 1; i < 4; i++) body.push(storeAt('i64', get(number), i64(0n), 8 * i));
  return { name: 'divideSmall', params: [I32, I64, I32], results: [], locals: [I64, I64], body };
}

/**
 * Builds `reduce(number, divisor)`: computes a 512-bit number modulo a 256-bit word. Both consist of 32-bit digits.
 * The highest digit of the word must not be zero, which is true for the modulus of a curve. The remainder replaces
 * the lowest 8 digits of the number. The algorithm is that of `divide`, but all digits are in WebAssembly locals.
 */
export function reduceFunction(): WasmFunction {
  const [number, divisor, at] = [0, 1, 2];
  const [shift, back, t, q, rest, carry] = [3, 4, 5, 6, 7, 8];
  const v = Array.from({ length: 8 }, (_, i) => 9 + i);
  const w = Array.from({ length: 9 }, (_, i) => 17 + i);
  const [v6, v7, w6, w7, w8] = [itemAt(v, 6), itemAt(v, 7), itemAt(w, 6), itemAt(w, 7), itemAt(w, 8)];
  /** Returns one digit of the number at `base` after a left shift of the whole number by `shift` bits. */
  const shifted = (base: Code, offset: number) =>
    op(
      'and64',
      op(
        'or64',
        op('shl64', load('u32as64', base, offset), get(shift)),
        offset === 0 ? i64(0n) : op('shr64', load('u32as64', base, offset - 4), get(back)),
      ),
      MASK,
    );
  const high = (local: number) => op('shr64', get(local), i64(32n));
  const isTooMuch = op(
    'or',
    op('gt64', get(q), MASK),
    op('gt64', op('mul64', op('and64', get(q), MASK), get(v6)), op('or64', op('shl64', get(rest), i64(32n)), get(w6))),
  );
  const subtract = v.flatMap((digit, i) => [
    set(t, op('add64', op('mul64', get(q), get(digit)), get(carry))),
    set(carry, high(t)),
    set(t, op('sub64', get(itemAt(w, i)), op('and64', get(t), MASK))),
    set(itemAt(w, i), op('and64', get(t), MASK)),
    set(carry, op('add64', get(carry), op('shr64', get(t), i64(63n)))),
  ]);
  const addBack = v.flatMap((digit, i) => [
    set(t, op('add64', op('add64', get(itemAt(w, i)), get(digit)), get(carry))),
    set(itemAt(w, i), op('and64', get(t), MASK)),
    set(carry, high(t)),
  ]);
  const step: Code[] = [
    set(t, op('or64', op('shl64', get(w8), i64(32n)), get(w7))),
    when(op('ge64', get(t), get(v7)), [
      ...set(q, op('div64', get(t), get(v7))),
      ...set(rest, op('sub64', get(t), op('mul64', get(q), get(v7)))),
      // The estimated quotient digit is too large by at most 2.
      ...loop(
        when(isTooMuch, [
          ...set(q, op('sub64', get(q), i64(1n))),
          ...set(rest, op('add64', get(rest), get(v7))),
          ...brIf(1, unary('eqz64', high(rest))),
        ]),
      ),
      ...set(carry, i64(0n)),
      ...subtract,
      // Add the divisor back, because the estimated quotient digit was too large by 1.
      ...when(op('lt64', get(w8), get(carry)), [...set(carry, i64(0n)), ...addBack]),
    ]),
  ];
  const body: Code[] = [
    set(shift, op('sub64', unary('clz64', load('u32as64', get(divisor), 28)), i64(32n))),
    set(back, op('sub64', i64(32n), get(shift))),
    ...v.map((local, i) => set(local, shifted(get(divisor), 4 * i))),
    ...w.slice(0, 8).map((local, i) => set(local, shifted(get(number), 32 + 4 * i))),
    set(w8, op('shr64', load('u32as64', get(number), 60), get(back))),
    set(at, op('add', get(number), i32(28))),
    block(
      loop(
        ...step,
        brIf(1, op('lt', get(at), get(number))),
        ...[8, 7, 6, 5, 4, 3, 2, 1].map((i) => set(itemAt(w, i), get(itemAt(w, i - 1)))),
        set(itemAt(w, 0), op('and64', op('shl64', load('u32as64', get(at)), get(shift)), MASK)),
        when(
          op('gt', get(at), get(number)),
          set(
            itemAt(w, 0),
            op('or64', get(itemAt(w, 0)), op('shr64', load('u32as64', op('sub', get(at), i32(4))), get(back))),
          ),
        ),
        set(at, op('sub', get(at), i32(4))),
        br(0),
      ),
    ),
    ...v.map((_, i) => {
      const own = op('shr64', get(itemAt(w, i)), get(shift));
      const above = i === 7 ? i64(0n) : op('shl64', get(itemAt(w, i + 1)), get(back));
      return storeAt('low32', get(number), op('or64', own, above), 4 * i);
    }),
  ];
  return { name: 'reduce', params: [I32, I32], results: [], locals: [I32, ...new Array<number>(23).fill(I64)], body };
}
