import { join } from 'node:path';
import { RandomChoices } from './differential/random-choices.js';
import type { Act } from './peers/act.js';
import { type Scene, scenes } from './peers/acts/acts.js';
import { Difference } from './peers/difference.js';
import { Stage } from './peers/stage.js';
import { TwoNodes } from './peers/two-nodes.js';
import { compiledReference, namedRelease } from './reference/compiled.js';
import type { Measurement } from './run.js';
import { Endings } from './support/endings.js';

/** Environment variable with a seed. If it is set, every act (a test of one kind of peer behaviour) has this seed. */
const SEED = 'TRONICLE_ACT_SEED';
/** Environment variable with the name of an act. If it is set, only this act runs. */
const ONLY = 'TRONICLE_ACT';
/**
 * Environment variable with the name of a scene (a configuration of both nodes). If it is set, only the acts of this
 * scene run.
 */
const SCENE = 'TRONICLE_SCENE';
/** Number of blocks of both nodes at the start, unless the scene has another number. */
const FIRST_BLOCKS = 30;

interface Play {
  readonly scene: Scene;
  readonly name: string;
  readonly act: Act;
  readonly seed: number;
  readonly random: RandomChoices;
}

/**
 * Compares the behaviour of this node with that of java-tron. The same peers send the same messages to both nodes,
 * which have the same chain. The received messages, their order, the reasons of disconnects and the heads must be
 * equal. The messages of an act depend only on its seed and on the current chain.
 */
export const peersAlike: Measurement = {
  title: 'sends peers the same messages as java-tron',
  gate: 300,
  night: 20_000,
  async run({ count, folder, random }) {
    const endings = new Endings();
    const release = namedRelease();
    const plays = chosenPlays(count, random);
    let hosts = 0;
    const nextHost = (): string => `127.${1 + ((++hosts >> 16) & 127)}.${(hosts >> 8) & 255}.${hosts & 255}`;
    const mismatched: string[] = [];
    let nodes: TwoNodes | undefined;
    let last: Scene | undefined;
    try {
      for (const [at, { scene, name, act, seed, random }] of plays.entries()) {
        if (nodes === undefined || scene !== last) {
          await endings.run();
          nodes = await TwoNodes.start(endings, {
            reference: compiledReference(),
            release,
            folder: join(folder, `${at}`),
            setting: scene,
          });
          for (let blocks = 0; blocks < (scene.blocks ?? FIRST_BLOCKS); blocks++) await nodes.grow();
          last = scene;
        }
        const stage = new Stage(nodes, random, () => scene.host ?? nextHost());
        try {
          await act(stage);
          await stage.compare({ quietMs: 50 });
          if (!stage.needsRestart) await stage.compareNodes();
        } catch (error) {
          if (!(error instanceof Difference)) throw error;
          const text = `${name}, act ${at}, seed ${seed}\n${error.message}`;
          console.log(text);
          mismatched.push(text);
          if (JSON.stringify(await nodes.theirs.facts()) !== JSON.stringify(nodes.ownFacts())) nodes = undefined;
        } finally {
          stage.close();
        }
        if (stage.needsRestart) nodes = undefined;
        await nodes?.alone();
      }
    } finally {
      await endings.run();
    }
    if (mismatched.length > 0)
      throw new Error(`${mismatched.length} of ${plays.length} acts differ\n${mismatched.slice(0, 5).join('\n\n')}`);
    return `${release}: ${plays.length} acts, 0 mismatched`;
  },
};

/** Returns the acts to run, ordered by scene. Each scene has its share of `count`, but at least one act. */
function chosenPlays(count: number, random: () => number): readonly Play[] {
  const [only, where] = [process.env[ONLY], process.env[SCENE]];
  return Object.entries(scenes).flatMap(([place, scene]) => {
    const acts = Object.entries(scene.acts).filter(([name]) => (only ?? name) === name && (where ?? place) === place);
    if (acts.length === 0) return [];
    const plays = (only ?? where) === undefined ? Math.max(1, Math.round(count * scene.share)) : count;
    return Array.from({ length: plays }, () => {
      const seed = Number(process.env[SEED] ?? Math.floor(random() * 2 ** 31));
      const choices = new RandomChoices(seed);
      const [name, act] = choices.pick(acts);
      return { scene, name, act, seed, random: choices };
    });
  });
}
