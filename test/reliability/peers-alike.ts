import { join } from 'node:path';
import { Dice } from './differential/dice.js';
import { acts } from './peers/acts/acts.js';
import { Difference } from './peers/difference.js';
import { Stage } from './peers/stage.js';
import { TwoNodes } from './peers/two-nodes.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';
import { Endings } from './support/endings.js';

/** Environment variables: one seed in place of random ones, and the one kind of play. */
const SEED = 'TRONICLE_ACT_SEED';
const ONLY = 'TRONICLE_ACT';
/** Blocks that both nodes have when they begin. */
const FIRST_BLOCKS = 30;

/**
 * The same peers say the same to java-tron and to a node of ours on one chain: what each hears, in which order, why it is let go, and what
 * became of both heads must be the same. An act follows from its seed and from the chain as it is then.
 */
export const peersAlike: Measurement = {
  title: 'peers hear of this node what they hear of java-tron',
  gate: 300,
  night: 20_000,
  async run({ count, folder, random }) {
    const endings = new Endings();
    const release = namedRelease();
    const names = Object.keys(acts).filter((name) => (process.env[ONLY] ?? name) === name);
    let hosts = 0;
    const nextHost = (): string => `127.${1 + ((++hosts >> 16) & 127)}.${(hosts >> 8) & 255}.${hosts & 255}`;
    const differing: string[] = [];
    let nodes: TwoNodes | undefined;
    try {
      for (let at = 0; at < count; at++) {
        const seed = Number(process.env[SEED] ?? Math.floor(random() * 2 ** 31));
        if (nodes === undefined) {
          await endings.run();
          nodes = await TwoNodes.start(endings, {
            reference: compiledReference(),
            release,
            folder: join(folder, `${at}`),
          });
          for (let blocks = 0; blocks < FIRST_BLOCKS; blocks++) await nodes.grow();
        }
        const dice = new Dice(seed);
        const name = dice.pick(names);
        const stage = new Stage(nodes, dice, nextHost);
        try {
          await acts[name]?.(stage);
          await stage.compare({ quietMs: 50 });
          await stage.compareNodes();
        } catch (error) {
          if (!(error instanceof Difference)) throw error;
          const text = `${name}, act ${at}, seed ${seed}\n${error.message}`;
          console.log(text);
          differing.push(text);
          if ((await nodes.theirs.facts()).id !== nodes.ours.head) nodes = undefined;
        } finally {
          stage.close();
        }
      }
    } finally {
      await endings.run();
    }
    if (differing.length > 0)
      throw new Error(`${differing.length} of ${count} acts differ\n${differing.slice(0, 5).join('\n\n')}`);
    return `${release}: ${count} acts, 0 differing`;
  },
};
