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
  store,
  unary,
  type WasmFunction,
  when,
} from './assembler.js';
import {
  above,
  eachLimb,
  LIMB_BITS,
  LIMB_MASK,
  LIMBS,
  type Limbs,
  limbOf,
  locals,
  setLimbs,
  sumOf,
  within,
} from './limbs.js';
import { negativeInverse } from './montgomery.js';

const BITS = BigInt(LIMB_BITS);

/** Locals: f and g, and what times the number they are modulo the prime, then the words of a round. */
const [TO, FROM] = [0, 1];
const F = 2;
const G = F + LIMBS;
const D = G + LIMBS;
const E = D + LIMBS;
const NEXT = E + LIMBS;
const WORDS = NEXT + LIMBS;
const [U, V, Q, R] = [WORDS, WORDS + 1, WORDS + 2, WORDS + 3] as const;
const [LOW_F, LOW_G, ETA, LEFT, COUNT, TEMP, CARRY, FACTOR] = Array.from({ length: 8 }, (_, at) => WORDS + 4 + at) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
const LOCALS = WORDS + 12 - F;

/**
 * (to, a): the inverse of a modulo an odd prime below 2^256, and 0 for 0: limbs of 29 bits, which a product with a constant reduces.
 * a lies between -2^257 and 2^257.
 *
 * f, at first the prime, and g, at first a, are divided by 2 again and again, f being odd and one of them added to the other where both
 * are; 29 such steps are found by the lowest limbs alone, as a matrix, which then is applied to all. d and e are what a is to be multiplied
 * by to be f and g modulo the prime, so the same matrix is applied to them, the division by 2^29 being one modulo the prime. In the end g
 * is 0 and f is 1 or -1, or, for 0, the prime. Source: Bernstein, Yang, "Fast constant-time gcd computation and modular inversion", with
 * zeros at the end of g taken at once. d grows by less than the prime with each round, of which there are 21 at most.
 */
export function inverse(prime: bigint): WasmFunction {
  const limb: Limbs = (at) => i64(limbOf(prime, at));
  const zero: Limbs = () => i64(0n);
  return {
    name: 'inverse',
    params: [I32, I32],
    results: [],
    locals: new Array<number>(LOCALS).fill(I64),
    body: [
      setLimbs(F, limb),
      setLimbs(G, (at) => load('i64', get(FROM), at * 8)),
      setLimbs(D, zero),
      setLimbs(E, (at) => i64(at === 0 ? 1n : 0n)),
      set(ETA, i64(-1n)),
      block(loop(brIf(1, isZero(G)), findMatrix, applied(F, G, exactly), applied(D, E, moduloPrime(prime)), br(0))),
      // f is negative where its highest limb is: then d is the inverse's negative.
      set(TEMP, sumOf(i64(1n), op('shl64', op('shrS64', get(F + LIMBS - 1), i64(63n)), i64(1n)))),
      eachLimb((at) => store('i64', get(TO), op('mul64', get(D + at), get(TEMP)), at * 8)),
    ],
  };
}

function isZero(first: number): Code {
  return unary(
    'eqz64',
    Array.from({ length: LIMBS }, (_, at) => get(first + at)).reduce((or, limb) => op('or64', or, limb)),
  );
}

/** Steps left, each of which divides g by 2: u f + v g and q f + r g are 2^29 times what f and g become. */
const findMatrix: Code = [
  set(LOW_F, get(F)),
  set(LOW_G, get(G)),
  set(U, i64(1n)),
  set(V, i64(0n)),
  set(Q, i64(0n)),
  set(R, i64(1n)),
  set(LEFT, i64(BITS)),
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

/** Divides sums of limbs by 2^29 and takes the result into locals. */
type Divide = (result: number, sum: Limbs) => Code;

/** The matrix, applied to two numbers. */
function applied(a: number, b: number, divide: Divide): Code {
  const row =
    (left: number, right: number): Limbs =>
    (at) =>
      sumOf(op('mul64', get(left), get(a + at)), op('mul64', get(right), get(b + at)));
  return [divide(NEXT, row(U, V)), divide(b, row(Q, R)), setLimbs(a, locals(NEXT))];
}

const exactly: Divide = (result, sum) => [set(CARRY, sum(0)), divided(result, sum)];

/** The prime is added as often as makes the sum divisible. */
function moduloPrime(prime: bigint): Divide {
  const limb: Limbs = (at) => op('mul64', get(FACTOR), i64(limbOf(prime, at)));
  return (result, sum) => [
    set(CARRY, sum(0)),
    set(FACTOR, op('and64', op('mul64', get(CARRY), i64(negativeInverse(prime))), i64(LIMB_MASK))),
    set(CARRY, sumOf(get(CARRY), limb(0))),
    divided(result, (at) => sumOf(sum(at), limb(at))),
  ];
}

/** The result may lie where an operand of the sums does: a limb is written when the one above it has been read. */
function divided(result: number, sum: Limbs): Code {
  return [
    Array.from({ length: LIMBS - 1 }, (_, at) => [
      set(CARRY, sumOf(above(CARRY), sum(at + 1))),
      set(result + at, within(CARRY)),
    ]),
    set(result + LIMBS - 1, above(CARRY)),
  ];
}
