import { type Code, get, I32, I64, set, type WasmFunction } from '../assembler.js';
import {
  above,
  inMemory,
  LIMBS,
  type Limbs,
  less,
  locals,
  plus,
  setLimbs,
  storeLimbs,
  sumOf,
  within,
} from '../limbs.js';
import { montgomeryProduct, PRODUCT_LOCALS } from '../montgomery.js';

/** The field of the coordinates: the scalars of BLS12-381. */
export const P = 0x73ed_a753_299d_7d48_3339_d808_09a1_d805_53bd_a402_fffe_5bfe_ffff_ffff_0000_0001n;
/** A number x is kept as 2^261 x (Montgomery), between -2 p and 2 p; its limbs are positive, but for the highest. */
export const MONTGOMERY = (1n << 261n) % P;

/** Numbers of the functions in the module, where others of it call them. */
export const CALL = {
  multiply: 0,
  differenceTimes: 1,
  sumTimes: 2,
  differenceTimesDifference: 3,
  differenceTimesSum: 4,
  sumTimesSum: 5,
  subtract: 6,
  add: 7,
} as const;

/** Their parameters are addresses, that of the result first; it may be that of an operand. */
export const fieldFunctions = (): readonly WasmFunction[] => [
  productOf('multiply', 2, (of) => [of(1), of(2)]),
  productOf('differenceTimes', 3, (of) => [less(of(1), of(2)), of(3)]),
  productOf('sumTimes', 3, (of) => [plus(of(1), of(2)), of(3)]),
  productOf('differenceTimesDifference', 4, (of) => [less(of(1), of(2)), less(of(3), of(4))]),
  productOf('differenceTimesSum', 4, (of) => [less(of(1), of(2)), plus(of(3), of(4))]),
  productOf('sumTimesSum', 4, (of) => [plus(of(1), of(2)), plus(of(3), of(4))], 'carried'),
  carried('subtract', (of) => less(of(1), of(2))),
  carried('add', (of) => plus(of(1), of(2))),
];

type Operands = (at: number) => Limbs;

/** @param first the first factor has size 2 as the second has, and is brought to 1 before it is multiplied */
function productOf(
  name: string,
  operands: number,
  make: (of: Operands) => readonly [Limbs, Limbs],
  first: 'carried' | 'as it is' = 'as it is',
): WasmFunction {
  const [left, right] = make((at) => inMemory(get(at)));
  const a = 1 + operands;
  const b = a + LIMBS;
  const factors = b + LIMBS;
  const result = factors + LIMBS;
  const carry = result + LIMBS;
  return {
    name,
    params: new Array<number>(1 + operands).fill(I32),
    results: [],
    locals: new Array<number>(2 * LIMBS + PRODUCT_LOCALS).fill(I64),
    body: [
      first === 'carried' ? setCarried(a, left, carry) : setLimbs(a, left),
      setLimbs(b, right),
      montgomeryProduct(P, locals(a), locals(b), { factors, result, carry }),
      storeLimbs(get(0), locals(result)),
    ],
  };
}

function carried(name: string, make: (of: Operands) => Limbs): WasmFunction {
  const value = make((at) => inMemory(get(at)));
  const [first, carry] = [3, 3 + LIMBS];
  return {
    name,
    params: [I32, I32, I32],
    results: [],
    locals: new Array<number>(LIMBS + 1).fill(I64),
    body: [setCarried(first, value, carry), storeLimbs(get(0), locals(first))],
  };
}

/** Takes a number into locals, of which all but the highest are positive and of size 1. */
function setCarried(first: number, value: Limbs, carry: number): Code {
  const top = LIMBS - 1;
  const code = Array.from({ length: top }, (_, at) => [
    set(carry, at === 0 ? value(0) : sumOf(value(at), above(carry))),
    set(first + at, within(carry)),
  ]);
  return [code, set(first + top, sumOf(value(top), above(carry)))];
}
