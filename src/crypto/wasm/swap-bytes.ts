import { type Code, get, i64, op, set } from './assembler.js';

/** Returns code that reverses the bytes of a 64-bit value. */
export function swapBytes(value: Code, temp: number): Code {
  const pairs = (from: Code, mask: bigint, by: bigint) =>
    op('or64', op('and64', op('shr64', from, i64(by)), i64(mask)), op('shl64', op('and64', from, i64(mask)), i64(by)));
  return [
    ...set(temp, value),
    ...set(temp, pairs(get(temp), 0x00ff00ff00ff00ffn, 8n)),
    ...set(temp, pairs(get(temp), 0x0000ffff0000ffffn, 16n)),
    ...op('rotl64', get(temp), i64(32n)),
  ];
}
