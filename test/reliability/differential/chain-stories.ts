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

/** A topic on which some of the chains focus. */
export interface ChainStory {
  readonly name: string;
  /** Minimum and maximum number of parameters that are enabled at the start, in the order of the main net. */
  readonly enabledCount: readonly [number, number];
  /** Ids of the parameters that the chain enables later, in this order. */
  readonly later: readonly number[];
  /** Kinds of transactions that are created more often than others. */
  readonly favours: readonly Family[];
  /** Kinds of transactions that are not created between the first and the last of the `later` parameters. */
  readonly rests?: readonly Family[];
  /** True if producers use older and newer block versions, starting with the first block. */
  readonly hasVersions?: true;
  /** True if the witnesses often agree on the least or the greatest valid value of a parameter. */
  readonly hasExtremes?: true;
}

/** Environment variable with the name of the story that every chain uses. */
const STORY = 'TRONICLE_CHAIN_STORY';
/** Factor of the weight of favoured kinds. */
export const FAVOUR = 8;

const pooled = [issueAsset, createExchange, tradeExchange, injectExchange, withdrawExchange];
const rewarded = [vote, freeze, unfreeze, withdrawReward];

const stories: readonly ChainStory[] = [
  // Accounts vote while the first reward rule is in force. Later, they receive their rewards by the second rule, or
  // by the optimised first rule.
  { name: 'old-rewards', enabledCount: [9, 17], later: [67, 79], favours: rewarded, rests: rewarded },
  { name: 'old-rewards-by-votes', enabledCount: [9, 17], later: [59, 79], favours: rewarded, rests: rewarded },
  // The chain converts the delegation indexes from the old format to the new format.
  {
    name: 'old-delegations',
    enabledCount: [3, 25],
    later: [69, 70],
    favours: [freeze, unfreeze, delegate, undelegate],
  },
  { name: 'endings', enabledCount: [17, 25], later: [67, 69], favours: [deployProxy, stakeProxy, endProxy] },
  { name: 'later-endings', enabledCount: [25, 36], later: [70, 77, 94], favours: [deployProxy, stakeProxy, endProxy] },
  { name: 'endings-between', enabledCount: [17, 26], later: [69, 70, 94], favours: [stakeProxy, endProxy, unfreezeV2] },
  { name: 'market', enabledCount: [13, 36], later: [45, 98], favours: [issueAsset, offerBit, buyBits] },
  { name: 'pools', enabledCount: [0, 36], later: [87, 98], favours: pooled },
  { name: 'waiting', enabledCount: [27, 36], later: [70, 77], favours: [freezeV2, unfreezeBit, stakeProxy] },
  { name: 'sizes', enabledCount: [0, 36], later: [88, 82], favours: [largeTransfer, largeCreation, largeContract] },
  { name: 'versions', enabledCount: [0, 36], later: [44, 52, 67], favours: [], hasVersions: true },
  { name: 'extremes', enabledCount: [0, 36], later: [88, 97], favours: [], hasExtremes: true },
];

/**
 * Returns a story (a topic) for some of the chains; undefined for the others. If the environment variable is set, all
 * chains have the story that it names.
 */
export function chooseStory(random: RandomChoices): ChainStory | undefined {
  const named = process.env[STORY];
  if (named === undefined) return random.chance(0.3) ? random.pick(stories) : undefined;
  const found = stories.find(({ name }) => name === named);
  if (found === undefined) throw new RangeError(`${STORY}: ${stories.map(({ name }) => name).join(', ')}`);
  return found;
}
