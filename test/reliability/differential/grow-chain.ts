import { crowd, witnesses } from './actors.js';
import type { ChainRun } from './chain-run.js';
import { chooseStory } from './chain-stories.js';
import { type ChainKind, chooseSwitches } from './config-text.js';
import type { RandomChoices } from './random-choices.js';

/** Number of blocks without transactions at the start. In these blocks, the chain adopts the newest block version. */
const QUIET_BLOCKS = 12;
const CROWD_QUIET_BLOCKS = 40;

/** Returns the random initial settings of a chain with `blocks` blocks. */
export function chooseKind(random: RandomChoices, release: string, blocks: number): ChainKind {
  const isCrowded = random.chance(0.25);
  const story = chooseStory(random);
  const switches = chooseSwitches(random, release, story);
  const isSorted = random.chance(0.3);
  const energyLimitBlock = random.chance(0.75) ? 1 : random.below(blocks);
  return { switches, witnesses: isCrowded ? crowd : witnesses, isSorted, energyLimitBlock, story };
}

/**
 * Grows a chain to a number of blocks, with forks and with blocks of other producers.
 * @param behind called after each step that only added a block. It is not called after a fork, because java-tron may
 * then still have old pending transactions.
 */
export async function grow(
  run: ChainRun,
  random: RandomChoices,
  kind: ChainKind,
  blocks: number,
  behind: () => Promise<void> = async () => {},
): Promise<void> {
  const quiet = kind.witnesses === crowd ? CROWD_QUIET_BLOCKS : QUIET_BLOCKS;
  if (kind.story?.hasVersions !== true) {
    for (let at = 0; at < quiet; at++) await run.block(0);
    await run.adopt();
  }
  const { later = [] } = kind.story ?? {};
  const startHeight = run.scene.chain.ledger.position.headNumber;
  const due = later.map((id, at) => ({
    id,
    height: startHeight + ((blocks - startHeight) * (at + 0.5)) / (later.length + 1),
  }));
  while (run.scene.chain.ledger.position.headNumber < blocks) {
    for (; due[0] !== undefined && due[0].height <= run.scene.chain.ledger.position.headNumber; due.shift())
      await run.agree([due[0].id]);
    if (random.chance(0.06)) await run.fork();
    else if (random.chance(0.1)) await run.foreign();
    else if (random.chance(kind.story?.hasExtremes ? 0.12 : 0.03)) await run.agree();
    else {
      await run.block(random.chance(0.1) ? 0 : random.between(1, 30));
      await behind();
    }
  }
}
