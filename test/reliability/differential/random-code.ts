import { toHex } from '../../../src/primitives/bytes.js';
import { randomProgram, Seeded } from '../../support/vm/random-program.js';
import { everybody } from './actors.js';
import type { Scene } from './scene.js';

/** Returns a program that is valid in most parts. It may call contracts and accounts of the chain. */
export function randomProgramOf({ random, contracts }: Scene): Uint8Array {
  const known = [
    ...contracts.slice(-6).map((address) => address.slice(2)),
    toHex(random.pick(everybody).bytes).slice(2),
  ];
  return randomProgram(new Seeded(random.below(2 ** 31)), known);
}
