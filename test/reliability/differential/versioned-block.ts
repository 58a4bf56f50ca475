import type { DecodedBlock } from '../../../src/state-transition/block/decoded-block.js';
import { VERSION } from '../../../src/state-transition/parameters/block-versions.js';
import type { Actor } from './actors.js';
import type { RandomChoices } from './random-choices.js';
import { resigned } from './resigned-block.js';

const known = Object.values(VERSION);
const YEARS_AWAY = 99;
const unknown = [0, 4, 11, 12, 15, 18, YEARS_AWAY, -1];

/** Number of blocks after which producers may use the next newer version. */
const BLOCKS_PER_VERSION = 5;

/**
 * Returns the block version that the release of a producer writes. In most cases, it is a version that another
 * producer uses.
 * @param inUse versions of the producers
 */
export function chooseVersion(random: RandomChoices, inUse: readonly number[], blockNumber: number): number {
  if (inUse.length > 0 && random.chance(0.8)) return random.chance(0.6) ? newestOf(inUse) : random.pick(inUse);
  const young = known.slice(0, 2 + blockNumber / BLOCKS_PER_VERSION);
  return random.pick(random.chance(0.8) ? young : unknown);
}

function newestOf(inUse: readonly number[]): number {
  return Math.max(0, ...inUse.filter((version) => version < YEARS_AWAY));
}

/** Returns the block with another version and a new signature. */
export function ofVersion(block: DecodedBlock, signer: Actor, version: number): DecodedBlock {
  return resigned(block, signer, (_, raw) => {
    raw.version = version;
  });
}
