import { type Code, get, I32, I64, i64, op, set, storeAt, type WasmFunction } from './assembler.js';
import { above, eachLimb, inMemory, LIMB_BITS, LIMBS, type Limbs, limbOf, locals, sumOf, within } from './limbs.js';
import { swapBytes } from './swap-bytes.js';

const WORDS = 4;
const WORD_BITS = 64;

/**
 * WebAssembly function `writeBytes(bytes, a)`. Writes the number a as 32 big-endian bytes. a must be at least −p and
 * below p. If a is negative, writes a + p instead.
 */
export function writeBytes(prime: bigint): WasmFunction {
  const [limbs, carry, temp] = [2, 2 + LIMBS, 3 + LIMBS];
  const carried = (value: Limbs): Code => [
    eachLimb((at) => [
      set(carry, at === 0 ? value(0) : sumOf(value(at), above(carry))),
      set(limbs + at, at === LIMBS - 1 ? get(carry) : within(carry)),
    ]),
  ];
  const word = (at: number): Code =>
    Array.from({ length: LIMBS }, (_, limb) => limb * LIMB_BITS - at * WORD_BITS)
      .map((shift, limb) => ({ shift, limb }))
      .filter(({ shift }) => shift > -LIMB_BITS && shift < WORD_BITS)
      .map(({ shift, limb }) => op(shift < 0 ? 'shr64' : 'shl64', get(limbs + limb), i64(BigInt(Math.abs(shift)))))
      .reduce((or, part) => op('or64', or, part));
  return {
    name: 'writeBytes',
    params: [I32, I32],
    results: [],
    locals: new Array<number>(LIMBS + 2).fill(I64),
    body: [
      carried(inMemory(get(1))),
      // All bits of this word are 1 if the number is negative, else 0.
      set(temp, op('shrS64', get(limbs + LIMBS - 1), i64(63n))),
      carried((at) => sumOf(locals(limbs)(at), op('and64', get(temp), i64(limbOf(prime, at))))),
      Array.from({ length: WORDS }, (_, at) => storeAt('i64', get(0), swapBytes(word(at), temp), 8 * (WORDS - 1 - at))),
    ],
  };
}
