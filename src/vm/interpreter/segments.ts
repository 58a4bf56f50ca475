// biome-ignore-all lint/style/noNonNullAssertion: places lie below the length of the code, and every table of operations has 256 rows
import { JUMPDEST_OPCODE, wordBytesBehind } from '../opcodes/code-layout.js';
import type { InstructionSet } from '../opcodes/instruction-set.js';

/**
 * A run of operations that are paid for together, before the first of them: all but the last cost the same whatever
 * they work on, cannot fail, and do not show how much energy is left.
 */
export interface Segment {
  /** Its first byte in the code. */
  readonly start: number;
  /** Words that it needs on the stack. */
  readonly need: number;
  /** The most that it adds to them. */
  readonly growth: number;
  /** Prices of its operations, for penalties are rounded one by one; a price that varies is none of them. */
  readonly costs: readonly number[];
}

/**
 * Cuts code into segments: one begins at each destination of jumps, and behind each operation that must be the last of
 * its own.
 * @param isWithin whether an opcode can have others behind it
 */
export function segmentsOf(
  code: Uint8Array,
  { isEnabled, pops, pushes, energy }: InstructionSet,
  isWithin: (opcode: number) => boolean,
): Segment[] {
  const segments: Segment[] = [];
  let open: (Segment & { need: number; growth: number; readonly costs: number[] }) | undefined;
  let height = 0;
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc]!;
    if (opcode === JUMPDEST_OPCODE) open = undefined;
    if (open === undefined) {
      open = { start: pc, need: 0, growth: 0, costs: [] };
      height = 0;
      segments.push(open);
    }
    if (isEnabled[opcode] === 0) {
      open = undefined;
      continue;
    }
    open.need = Math.max(open.need, pops[opcode]! - height);
    height += pushes[opcode]! - pops[opcode]!;
    open.growth = Math.max(open.growth, height);
    const cost = energy[opcode]!;
    if (cost >= 0) open.costs.push(cost);
    if (cost < 0 || !isWithin(opcode)) open = undefined;
    pc += wordBytesBehind(opcode);
  }
  return segments;
}
