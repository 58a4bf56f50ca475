import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChainRun, type Tally } from '../chain-run.js';
import { type ChainKind, configText } from '../config-text.js';
import { chooseKind, grow } from '../grow-chain.js';
import { Difference } from '../node-pair.js';
import { openOurs } from '../our-node.js';
import type { RandomChain } from '../random-chain.js';
import { RandomChoices } from '../random-choices.js';
import type { Scene } from '../scene.js';
import { compareEvents, shownDifference } from './compare-events.js';
import { comparePast } from './compare-past.js';
import { eventSection } from './event-config.js';
import { JavaEvents, type Published } from './java-events.js';
import { ourEvents } from './our-events.js';
import { OwnChain, type Pushed } from './own-chain.js';

/** Maximum number of mismatches that are printed. */
const SHOWN_MAX = 4;

interface EventedChain extends RandomChain {
  /** Number of event configurations. The chain is replayed with each of them. */
  readonly configurations: number;
}

/**
 * Grows a chain on this node. Pushes its blocks to java-tron once for each of several event configurations and compares
 * the messages.
 * @returns the number of compared messages
 * @throws {Difference} a message differs; the text has seed, configuration, position and both messages
 */
export async function runEventedChain(options: EventedChain, tally: Tally): Promise<number> {
  const { seed, blocks, folder, release } = options;
  const random = new RandomChoices(seed);
  const kind = chooseKind(random, release, blocks);
  writeFileSync(join(folder, 'config.conf'), configText(kind));
  const own = new OwnChain(await openOurs(folder, 'ours', release));
  const aside = await openOurs(folder, 'aside', release);
  try {
    const run = new ChainRun(own, aside, random, tally, kind.story);
    await grow(run, random, kind, blocks);
    await own.chain.ledger.flush();
    let compared = 0;
    for (let at = 0; at < options.configurations; at++) {
      compared += await oneConfiguration(
        { ...options, folder: join(folder, `${at}`) },
        { kind, own, scene: run.scene },
      );
    }
    return compared;
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    throw new Difference(`seed ${seed}, ${error.message}`);
  } finally {
    await own.chain.ledger.close();
    await aside.ledger.close();
  }
}

interface Grown {
  readonly kind: ChainKind;
  readonly own: OwnChain;
  readonly scene: Scene;
}

async function oneConfiguration(
  { folder, reference, release }: RandomChain,
  { kind, own, scene }: Grown,
): Promise<number> {
  mkdirSync(folder);
  const section = eventSection(scene, release);
  writeFileSync(join(folder, 'config.conf'), configText(kind, section));
  const { moves, sink, again } = await ourEvents(own.chain, folder, release);
  const { solidifiedNumber } = own.chain.ledger.position;
  const from = sink?.polled === true && solidifiedNumber > 0 ? scene.random.between(1, solidifiedNumber) : undefined;
  const { theirs, past } = await published(reference, folder, own.pushes, from);
  const differences = compareEvents({ release, sink, chain: own.chain, pushes: own.pushes, theirs, moves });
  if (from !== undefined)
    differences.push(...comparePast({ chain: own.chain, from, theirs: past, ours: await again(from) }));
  if (differences.length > 0) {
    const shown = differences.slice(0, SHOWN_MAX).map(shownDifference);
    throw new Difference(`${differences.length} mismatched\n${section}\n${shown.join('\n')}`);
  }
  return theirs.flat().length;
}

/**
 * Returns the messages of java-tron for each pushed block, and the messages about old blocks that it sends again
 * after the last push.
 * @param from height from which java-tron sends old blocks again; if undefined, it sends none
 */
async function published(
  reference: string,
  folder: string,
  pushes: readonly Pushed[],
  from?: number,
): Promise<{ readonly theirs: readonly Published[][]; readonly past: readonly Published[] }> {
  const java = new JavaEvents(reference, folder);
  try {
    await java.begin();
    const all: Published[][] = [];
    for (const { block, answer, head } of pushes) {
      const theirs = await java.push(block.bytes);
      if (theirs.answer !== answer || theirs.head !== head)
        throw new Difference(
          `block ${block.number} ${block.idHex}: ${theirs.answer} and ${answer}, head ${theirs.head} and ${head}`,
        );
      all.push([...theirs.published]);
    }
    return { theirs: all, past: from === undefined ? [] : await java.again(from) };
  } finally {
    java.stop();
  }
}
