import { toHex } from '../../../src/primitives/bytes.js';
import { randomProgram, Seeded } from '../../support/vm/random-program.js';
import { everybody } from './actors.js';
import type { Scene } from './scene.js';

/** Returns a program that is valid in most parts and may call contracts and accounts of the chain. */
export function randomProgramOf({ dice, contracts }: Scene): Uint8Array {
  const known = [...contracts.slice(-6).map((address) => address.slice(2)), toHex(dice.pick(everybody).bytes).slice(2)];
  return randomProgram(new Seeded(dice.below(2 ** 31)), known);
}
