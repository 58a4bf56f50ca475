import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, join } from '../act.js';
import { unknownId } from '../made-block.js';
import { saidId, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';

/** Time in ms after which a peer may send the maximum number of requests again. The rate limit counts per second. */
const RESTED_MS = 1200;

/** A peer that is thousands of blocks behind requests ids and blocks. Sometimes it exceeds the rate limit. */
export const climbs: Act = async (stage) => {
  const { random, nodes } = stage;
  await join(stage, 'a', 'behind');
  // Height of the last block id in the last answer.
  let last = 0;
  for (let times = random.between(1, 4); times > 0 && stage.isThere('a'); times--) {
    await sleep(RESTED_MS);
    if (last === 0 || random.chance(0.4)) {
      const from = random.chance(0.7) ? last : Math.max(0, last + random.between(-50, 50));
      const count = random.chance(0.6) ? 1 : random.between(2, 6);
      await stage.say(
        'a',
        `${count} summaries at ${from}`,
        many(count, () => saySummary([saidId(idAt(stage, from))])),
      );
      last = Math.min(nodes.ours.headNumber, from + 2000);
    } else {
      const count = random.chance(0.6) ? 1 : random.between(2, 6);
      const size = random.pick([1, 20, 99, 100, 101]);
      const from = random.chance(0.8)
        ? Math.max(1, last - 1990 + random.below(1000))
        : random.between(1, nodes.ours.headNumber);
      const questions = many(count, (at) => blocksFrom(stage, from + at * size, size));
      await stage.say('a', `${count} requests for ${size} blocks from ${from}`, questions, { timeoutMs: 10_000 });
    }
  }
};

function blocksFrom(stage: Stage, from: number, size: number): Uint8Array {
  return sayItems(
    'FETCH_INV_DATA',
    1,
    many(size, (at) => idAt(stage, from + at)),
  );
}

function idAt({ nodes }: Stage, number: number): Uint8Array {
  return nodes.ours.node.chain.ledger.blockIdAt(number) ?? unknownId(number);
}

function many<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
