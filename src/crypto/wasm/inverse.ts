import {
  block,
  br,
  brIf,
  type Code,
  get,
  I32,
  I64,
  i64,
  load,
  loop,
  op,
  set,
  storeAt,
  unary,
  type WasmFunction,
  when,
} from './assembler.js';
import { LIMB_BITS, LIMBS, type Limbs, locals, sumOf } from './limbs.js';
import { negativeInverse } from './montgomery.js';

/**
 * How a number is kept: its limbs, the lowest first, are signed words of 64 bits, and the highest holds all that is
 * above.
 */
interface Form {
  readonly limbs: number;
  readonly limbBits: number;
}

/** Locals: the words of a round, then f and g, and what times the number they are modulo the prime. */
const [TO, FROM] = [0, 1];
const [U, V, Q, R] = [2, 3, 4, 5] as const;
const [LOW_F, LOW_G, ETA, LEFT] = [6, 7, 8, 9] as const;
const [COUNT, TEMP, CARRY, FACTOR] = [10, 11, 12, 13] as const;
const NUMBERS = 14;

/**
 * (to, a): the inverse of a modulo an odd prime, and 0 for 0: limbs that a product with a constant reduces. a lies
 * between -2 and 2 times the prime, and the limbs have room for more than that.
 *
 * f, at first the prime, and g, at first a, are divided by 2 again and again, f being odd and one of them added to the
 * other where both are; as many such steps as a limb has bits are found by the lowest limbs alone, as a matrix, which
 * then is applied to all. d and e are what a is to be multiplied by to be f and g modulo the prime, so the same matrix
 * is applied to them, the division being one modulo the prime. In the end g is 0 and f is 1 or -1, or, for 0, the
 * prime. Source: Bernstein, Yang, "Fast constant-time gcd computation and modular inversion", with zeros at the end of
 * g taken at once. d grows by less than the prime with each round, of which there are 21 at most for a prime of 256
 * bits, and 40 for one of 381.
 */
export function inverse(prime: bigint, form: Form = { limbs: LIMBS, limbBits: LIMB_BITS }): WasmFunction {
  const { limbs } = form;
  const [f, g, d, e, next] = [0, 1, 2, 3, 4].map((at) => NUMBERS + at * limbs) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const each = (code: (at: number) => Code): Code => Array.from({ length: limbs }, (_, at) => code(at));
  const apply = (a: number, b: number, divide: Divide): Code => [
    divide(next, row(a, b, U, V)),
    divide(b, row(a, b, Q, R)),
    each((at) => set(a + at, get(next + at))),
  ];
  return {
    name: 'inverse',
    params: [I32, I32],
    results: [],
    locals: new Array<number>(NUMBERS + 5 * limbs - 2).fill(I64),
    body: [
      each((at) => [
        set(f + at, i64(limbOf(prime, at, form))),
        set(g + at, load('i64', get(FROM), at * 8)),
        set(d + at, i64(0n)),
        set(e + at, i64(at === 0 ? 1n : 0n)),
      ]),
      set(ETA, i64(-1n)),
      block(
        loop(
          brIf(1, isZero(g, limbs)),
          findMatrix(form),
          apply(f, g, exactly(form)),
          apply(d, e, moduloPrime(prime, form)),
          br(0),
        ),
      ),
      // f is negative where its highest limb is: then d is the inverse's negative.
      set(TEMP, sumOf(i64(1n), op('shl64', op('shrS64', get(f + limbs - 1), i64(63n)), i64(1n)))),
      each((at) => storeAt('i64', get(TO), op('mul64', get(d + at), get(TEMP)), at * 8)),
    ],
  };
}

/** A limb of a constant. */
function limbOf(value: bigint, at: number, { limbs, limbBits }: Form): bigint {
  const rest = value >> BigInt(at * limbBits);
  return at === limbs - 1 ? rest : rest & maskOf(limbBits);
}

function maskOf(bits: number): bigint {
  return (1n << BigInt(bits)) - 1n;
}

function isZero(first: number, limbs: number): Code {
  return unary(
    'eqz64',
    Array.from({ length: limbs }, (_, at) => get(first + at)).reduce((or, limb) => op('or64', or, limb)),
  );
}

/** Steps left, each of which divides g by 2: u f + v g and q f + r g are 2^(limb bits) times what f and g become. */
const findMatrix = ({ limbs, limbBits }: Form): Code => [
  set(LOW_F, get(NUMBERS)),
  set(LOW_G, get(NUMBERS + limbs)),
  set(U, i64(1n)),
  set(V, i64(0n)),
  set(Q, i64(0n)),
  set(R, i64(1n)),
  set(LEFT, i64(BigInt(limbBits))),
  block(
    loop(
      set(COUNT, unary('ctz64', op('or64', get(LOW_G), op('shl64', i64(-1n), get(LEFT))))),
      set(LOW_G, op('shrS64', get(LOW_G), get(COUNT))),
      set(U, op('shl64', get(U), get(COUNT))),
      set(V, op('shl64', get(V), get(COUNT))),
      set(ETA, op('sub64', get(ETA), get(COUNT))),
      set(LEFT, op('sub64', get(LEFT), get(COUNT))),
      brIf(1, unary('eqz64', get(LEFT))),
      when(op('ltS64', get(ETA), i64(0n)), [
        set(ETA, op('sub64', i64(0n), get(ETA))),
        swapped(LOW_F, LOW_G),
        swapped(U, Q),
        swapped(V, R),
      ]),
      // As many multiples of f as clear up to six lowest bits of g, but not beyond the steps left or the next exchange.
      set(COUNT, op('add64', get(ETA), i64(1n))),
      when(op('gtS64', get(COUNT), get(LEFT)), set(COUNT, get(LEFT))),
      when(op('gtS64', get(COUNT), i64(6n)), set(COUNT, i64(6n))),
      set(
        TEMP,
        op(
          'and64',
          // f (2 - f²) is the inverse of f modulo 64.
          op('mul64', op('mul64', get(LOW_F), get(LOW_G)), op('sub64', op('mul64', get(LOW_F), get(LOW_F)), i64(2n))),
          op('sub64', op('shl64', i64(1n), get(COUNT)), i64(1n)),
        ),
      ),
      set(LOW_G, sumOf(get(LOW_G), op('mul64', get(LOW_F), get(TEMP)))),
      set(Q, sumOf(get(Q), op('mul64', get(U), get(TEMP)))),
      set(R, sumOf(get(R), op('mul64', get(V), get(TEMP)))),
      br(0),
    ),
  ),
];

/** (a, b) becomes (b, -a). */
function swapped(a: number, b: number): Code {
  return [set(TEMP, get(a)), set(a, get(b)), set(b, op('sub64', i64(0n), get(TEMP)))];
}

/** Divides sums of limbs by 2^(limb bits) and takes the result into locals. */
type Divide = (result: number, sum: Limbs) => Code;

/** A row of the matrix, applied to two numbers. */
function row(a: number, b: number, left: number, right: number): Limbs {
  return (at) => sumOf(op('mul64', get(left), locals(a)(at)), op('mul64', get(right), locals(b)(at)));
}

function exactly(form: Form): Divide {
  return (result, sum) => [set(CARRY, sum(0)), divided(result, sum, form)];
}

/** The prime is added as often as makes the sum divisible. */
function moduloPrime(prime: bigint, form: Form): Divide {
  const { limbBits } = form;
  const limb: Limbs = (at) => op('mul64', get(FACTOR), i64(limbOf(prime, at, form)));
  const factor = i64(negativeInverse(prime, limbBits));
  return (result, sum) => [
    set(CARRY, sum(0)),
    set(FACTOR, op('and64', op('mul64', get(CARRY), factor), i64(maskOf(limbBits)))),
    set(CARRY, sumOf(get(CARRY), limb(0))),
    divided(result, (at) => sumOf(sum(at), limb(at)), form),
  ];
}

/** The result may lie where an operand of the sums does: a limb is written when the one above it has been read. */
function divided(result: number, sum: Limbs, { limbs, limbBits }: Form): Code {
  const above = op('shrS64', get(CARRY), i64(BigInt(limbBits)));
  return [
    Array.from({ length: limbs - 1 }, (_, at) => [
      set(CARRY, sumOf(above, sum(at + 1))),
      set(result + at, op('and64', get(CARRY), i64(maskOf(limbBits)))),
    ]),
    set(result + limbs - 1, above),
  ];
}
