// biome-ignore-all lint/style/noNonNullAssertion: offsets are below the length of the code, and every opcode table has 256 rows
import { JUMPDEST_OPCODE, wordBytesBehind } from '../opcodes/code-layout.js';
import type { InstructionSet } from '../opcodes/instruction-sets.js';

/**
 * Consecutive operations whose energy is charged together, before the first operation. All operations except the last
 * have a fixed price, cannot fail, and do not read the remaining energy.
 */
export interface Segment {
  /** Code offset of the first byte of the segment. */
  readonly start: number;
  /** Number of words that must be on the stack before the segment. */
  readonly need: number;
  /** Maximum increase of the stack height within the segment, in words. */
  readonly growth: number;
  /**
   * Fixed price of each operation. The sum of the prices does not suffice, because the dynamic energy penalty is
   * rounded for each operation.
   */
  readonly costs: readonly number[];
}

/**
 * Splits code into segments. A segment starts at each jump destination, and after each operation that must be the last
 * of its segment.
 * @param isWithin true for an opcode after which the same segment may continue
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
