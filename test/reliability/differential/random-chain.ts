import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChainRun, type Tally } from './chain-run.js';
import { configText } from './config-text.js';
import { chooseKind, grow } from './grow-chain.js';
import { JavaNode } from './java-node.js';
import { Difference, NodePair } from './node-pair.js';
import { openOurs } from './our-node.js';
import { RandomChoices } from './random-choices.js';

export interface RandomChain {
  readonly seed: number;
  readonly blocks: number;
  /** Folder for the data. It must be empty. */
  readonly folder: string;
  /** Folder of a compiled java-tron. */
  readonly reference: string;
  /** Release of the java-tron in `reference`. */
  readonly release: string;
}

/** Number of transactions that are executed, without being stored, on top of some of the blocks. */
const ATTEMPTS = 100;

/**
 * Grows one chain on both nodes and compares all answers.
 * @throws {Difference} the answers differ; the text has seed, position and both answers
 */
export async function runChain({ seed, blocks, folder, reference, release }: RandomChain, tally: Tally): Promise<void> {
  const random = new RandomChoices(seed);
  const kind = chooseKind(random, release, blocks);
  writeFileSync(join(folder, 'config.conf'), configText(kind));
  const chain = await openOurs(folder, 'ours', release);
  const aside = await openOurs(folder, 'aside', release);
  const java = new JavaNode(reference, folder);
  try {
    const pair = new NodePair(java, chain);
    await pair.begin();
    const run = new ChainRun(pair, aside, random, tally, kind.story);
    await grow(run, random, kind, blocks, async () => {
      if (random.chance(0.2)) await run.attempts(pair, ATTEMPTS);
    });
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    throw new Difference(
      `seed ${seed}, ${kind.switches.length} switches, ${kind.story?.name ?? 'no story'}, ${error.message}`,
    );
  } finally {
    java.stop();
    await chain.ledger.close();
    await aside.ledger.close();
  }
}
