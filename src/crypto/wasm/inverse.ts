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

/** Layout of a number: signed 64-bit limbs, lowest first. The highest limb contains all remaining bits. */
interface Form {
  readonly limbs: number;
  readonly limbBits: number;
}

/** Local indexes of the parameters: addresses of the result and of a. */
const [TO, FROM] = [0, 1];
/** Local indexes of the matrix (u, v; q, r) of a round. */
const [U, V, Q, R] = [2, 3, 4, 5] as const;
/**
 * WebAssembly locals: lowest limb of f, lowest limb of g, eta of the Bernstein-Yang method, and number of steps that
 * the current round still has to do.
 */
const [LOW_F, LOW_G, ETA, LEFT] = [6, 7, 8, 9] as const;
/** Locals for intermediate values. */
const [COUNT, TEMP, CARRY, FACTOR] = [10, 11, 12, 13] as const;
/** Index of the first local of f, g, d and e. Each number has one local per limb. */
const NUMBERS = 14;

/**
 * WebAssembly function `inverse(to, a)`. Computes the inverse of a modulo an odd prime. The inverse of 0 is 0. a must
 * be between −2 and 2 times the prime. The limbs need spare bits, because intermediate numbers are larger. The limbs
 * of the result are not reduced, so the caller must multiply the result by a constant.
 *
 * f starts as the prime and g as a. Each step divides g by 2. Before the division, the step adds f if g is odd, and
 * exchanges f and g if needed. The lowest limbs of f and g determine the next steps, one step per bit of a limb.
 * These steps form a matrix, which is then applied to all limbs.
 *
 * d and e satisfy d × a = f and e × a = g modulo the prime. Therefore, the same matrix is applied to d and e, with
 * division modulo the prime. At the end g is 0, and f is 1 or −1. If a is 0, f is the prime.
 *
 * Source: Bernstein, Yang, "Fast constant-time gcd computation and modular inversion", with one change: all trailing
 * zeros of g are removed at once. d grows by less than the prime per round. There are at most 21 rounds for a prime
 * of 256 bits, and at most 40 for a prime of 381 bits.
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
      // If the highest limb of f is negative, f is −1. In this case, −d is the inverse.
      set(TEMP, sumOf(i64(1n), op('shl64', op('shrS64', get(f + limbs - 1), i64(63n)), i64(1n)))),
      each((at) => storeAt('i64', get(TO), op('mul64', get(d + at), get(TEMP)), at * 8)),
    ],
  };
}

/** Returns a limb of a constant. */
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

/**
 * Code that computes the matrix of one round. A round has as many steps as a limb has bits. With B bits per limb, u ×
 * f + v × g is 2^B times the new f, and q × f + r × g is 2^B times the new g.
 */
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
      // Adds a multiple of f that clears at most six low bits of g. It clears fewer bits if fewer steps are left in
      // the round or until the next exchange.
      set(COUNT, op('add64', get(ETA), i64(1n))),
      when(op('gtS64', get(COUNT), get(LEFT)), set(COUNT, get(LEFT))),
      when(op('gtS64', get(COUNT), i64(6n)), set(COUNT, i64(6n))),
      set(
        TEMP,
        op(
          'and64',
          // f × (2 − f²) is the inverse of f modulo 64.
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

/** Returns code that replaces (a, b) by (b, −a). */
function swapped(a: number, b: number): Code {
  return [set(TEMP, get(a)), set(a, get(b)), set(b, op('sub64', i64(0n), get(TEMP)))];
}

/** Code that divides sums of limbs by 2 to the power of the limb's number of bits, and stores the result in locals. */
type Divide = (result: number, sum: Limbs) => Code;

/** Returns the limbs of left × a + right × b for two numbers a and b: one row of the matrix times (a, b). */
function row(a: number, b: number, left: number, right: number): Limbs {
  return (at) => sumOf(op('mul64', get(left), locals(a)(at)), op('mul64', get(right), locals(b)(at)));
}

function exactly(form: Form): Divide {
  return (result, sum) => [set(CARRY, sum(0)), divided(result, sum, form)];
}

/**
 * Returns code for a division modulo the prime. The code first adds a multiple of the prime that makes the sum
 * divisible.
 */
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

/**
 * Returns code for a division without a remainder. The result may overwrite an operand, because the code reads the next
 * limb before it writes a limb.
 */
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
