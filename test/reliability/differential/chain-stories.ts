import { issueAsset } from './families/assets.js';
import { deployProxy } from './families/contracts.js';
import { buyBits, offerBit, unfreezeBit } from './families/crowds.js';
import { endProxy, stakeProxy } from './families/endings.js';
import { vote } from './families/governance.js';
import { largeContract, largeCreation, largeTransfer } from './families/sizes.js';
import { freeze, unfreeze, withdrawReward } from './families/stake-v1.js';
import { delegate, freezeV2, undelegate, unfreezeV2 } from './families/stake-v2.js';
import { createExchange, injectExchange, tradeExchange, withdrawExchange } from './families/trade.js';
import type { RandomChoices } from './random-choices.js';
import type { Family } from './scene.js';

/** Focus of some chains. */
export interface ChainStory {
  readonly name: string;
  /** Minimum and maximum number of the network's parameters that are on when the chain starts. */
  readonly begins: readonly [number, number];
  /** Parameters that the chain enables one after the other. */
  readonly later: readonly number[];
  /** Kinds of transactions that are created more often. */
  readonly favours: readonly Family[];
  /** Kinds that are not created while the first of the parameters is on and the last one is off. */
  readonly rests?: readonly Family[];
  /** True if producers use older and newer block versions from the first block on. */
  readonly hasVersions?: true;
}

/** Environment variable with the name of the story for every chain. */
const STORY = 'TRONICLE_CHAIN_STORY';
/** Factor by which favoured kinds are created more often. */
export const FAVOUR = 8;

const pooled = [issueAsset, createExchange, tradeExchange, injectExchange, withdrawExchange];
const rewarded = [vote, freeze, unfreeze, withdrawReward];

const stories: readonly ChainStory[] = [
  // Accounts that voted under the first reward rule receive rewards by the second rule, or by the optimised first one.
  { name: 'old-rewards', begins: [9, 17], later: [67, 79], favours: rewarded, rests: rewarded },
  { name: 'old-rewards-by-votes', begins: [9, 17], later: [59, 79], favours: rewarded, rests: rewarded },
  // The delegation indexes of the old format are converted to the new format.
  { name: 'old-delegations', begins: [3, 25], later: [69, 70], favours: [freeze, unfreeze, delegate, undelegate] },
  { name: 'endings', begins: [17, 25], later: [67, 69], favours: [deployProxy, stakeProxy, endProxy] },
  { name: 'later-endings', begins: [25, 36], later: [70, 77, 94], favours: [deployProxy, stakeProxy, endProxy] },
  { name: 'endings-between', begins: [17, 26], later: [69, 70, 94], favours: [stakeProxy, endProxy, unfreezeV2] },
  { name: 'market', begins: [13, 36], later: [45, 98], favours: [issueAsset, offerBit, buyBits] },
  { name: 'pools', begins: [0, 36], later: [87, 98], favours: pooled },
  { name: 'waiting', begins: [27, 36], later: [70, 77], favours: [freezeV2, unfreezeBit, stakeProxy] },
  { name: 'sizes', begins: [0, 36], later: [88, 82], favours: [largeTransfer, largeCreation, largeContract] },
  { name: 'versions', begins: [0, 36], later: [44, 52, 67], favours: [], hasVersions: true },
];

/** Returns a story for some of the chains, or the story that the environment names for all of them. */
export function chooseStory(random: RandomChoices): ChainStory | undefined {
  const named = process.env[STORY];
  if (named === undefined) return random.chance(0.3) ? random.pick(stories) : undefined;
  const found = stories.find(({ name }) => name === named);
  if (found === undefined) throw new RangeError(`${STORY}: ${stories.map(({ name }) => name).join(', ')}`);
  return found;
}
