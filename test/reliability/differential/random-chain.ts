import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crowd, witnesses } from './actors.js';
import { ChainRun, type Tally } from './chain-run.js';
import { chooseSwitches, configText } from './config-text.js';
import { Dice } from './dice.js';
import { JavaNode } from './java-node.js';
import { Difference, NodePair } from './node-pair.js';
import { openOurs } from './our-node.js';

export interface RandomChain {
  readonly seed: number;
  readonly blocks: number;
  /** Empty at the start. */
  readonly folder: string;
  /** Folder of a compiled java-tron, and the release of it. */
  readonly reference: string;
  readonly release: string;
}

/** Blocks without transactions that let the newest block version pass, as the network's own are not young. */
const QUIET_BLOCKS = 12;
const CROWD_QUIET_BLOCKS = 40;

/** Transactions that are only tried, now and then on top of a block. */
const ATTEMPTS = 100;

/** Runs one chain on both. @throws {Difference} with seed, place and both answers */
export async function runChain({ seed, blocks, folder, reference, release }: RandomChain, tally: Tally): Promise<void> {
  const dice = new Dice(seed);
  const isCrowded = dice.chance(0.25);
  const switches = chooseSwitches(dice, release);
  const isSorted = dice.chance(0.3);
  const energyLimitBlock = dice.chance(0.75) ? 1 : dice.below(blocks);
  const kind = { switches, witnesses: isCrowded ? crowd : witnesses, isSorted, energyLimitBlock };
  writeFileSync(join(folder, 'config.conf'), configText(kind));
  const chain = await openOurs(folder, 'ours', release);
  const aside = await openOurs(folder, 'aside', release);
  const java = new JavaNode(reference, folder);
  try {
    const pair = new NodePair(java, chain);
    await pair.begin();
    const run = new ChainRun(pair, aside, dice, tally);
    for (let at = 0; at < (isCrowded ? CROWD_QUIET_BLOCKS : QUIET_BLOCKS); at++) await run.block(0);
    await run.adopt();
    while (chain.ledger.position.headNumber < blocks) {
      if (dice.chance(0.06)) await run.fork();
      else if (dice.chance(0.1)) await run.foreign();
      else await run.block(dice.chance(0.1) ? 0 : dice.between(1, 30));
      if (dice.chance(0.2)) await run.attempts(ATTEMPTS);
    }
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    throw new Difference(`seed ${seed}, ${switches.length} switches, ${error.message}`);
  } finally {
    java.stop();
    await chain.ledger.close();
    await aside.ledger.close();
  }
}
