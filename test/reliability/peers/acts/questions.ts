import { present } from '../../../../src/primitives/assert.js';
import { type Act, join } from '../act.js';
import { unknownId } from '../made-block.js';
import { type SaidId, saidId, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';

function idAt({ nodes }: Stage, number: number): Uint8Array {
  return present(nodes.ours.node.chain.ledger.blockIdAt(number), 'id of an existing block');
}

function anyHeight({ nodes, random }: Stage): number {
  const { headNumber } = nodes.ours;
  return random.chance(0.5) ? random.below(headNumber + 1) : headNumber - random.below(Math.min(headNumber, 12));
}

/** Returns the id of an existing block, or an id that differs slightly from one. */
function anyId(stage: Stage): Uint8Array {
  const { random, nodes } = stage;
  if (random.chance(0.75)) return idAt(stage, anyHeight(stage));
  return random.pick([
    unknownId(anyHeight(stage)),
    unknownId(nodes.ours.headNumber + 1),
    random.bytes(32),
    random.bytes(31),
    new Uint8Array(0),
    unknownId(-5),
  ]);
}

function anySaid(stage: Stage): SaidId {
  const { random } = stage;
  const id = saidId(anyId(stage));
  return random.chance(0.1) ? { hash: id.hash, number: random.pick([0n, -1n, id.number + 1n, 2n ** 62n]) } : id;
}

/** Returns a chain summary (SYNC_BLOCK_CHAIN): none, some or many block ids, from the chain or made up. */
function summary(stage: Stage): Uint8Array {
  const { random } = stage;
  const way = random.below(8);
  if (way === 0) return saySummary([]);
  if (way === 1) return saySummary([saidId(idAt(stage, 0))]);
  if (way === 2) return saySummary(Array.from({ length: 25 + random.below(10) }, () => anySaid(stage)));
  const heights = Array.from({ length: 1 + random.below(5) }, () => anyHeight(stage)).sort((a, b) => a - b);
  if (way < 6)
    return saySummary(
      heights.map((height) => saidId(idAt(stage, height))),
      random.chance(0.9) ? 0 : random.below(5),
    );
  return saySummary(heights.map(() => anySaid(stage)));
}

function fetch(stage: Stage): Uint8Array {
  const { random } = stage;
  const way = random.below(8);
  if (way === 0) return sayItems('FETCH_INV_DATA', 1, []);
  if (way === 1) return sayItems('FETCH_INV_DATA', random.pick([0, 2, 7]), [anyId(stage)]);
  if (way === 2) return sayItems('FETCH_INV_DATA', 1, [idAt(stage, 3), idAt(stage, 3)]);
  if (way === 3)
    return sayItems(
      'FETCH_INV_DATA',
      1,
      Array.from({ length: 95 + random.below(12) }, (_, at) => (at < 29 ? idAt(stage, at + 1) : unknownId(at))),
    );
  if (way === 4)
    return sayItems(
      'FETCH_INV_DATA',
      1,
      Array.from({ length: 1 + random.below(4) }, () => anyId(stage)),
    );
  const first = 1 + random.below(stage.nodes.ours.headNumber);
  const last = Math.min(stage.nodes.ours.headNumber, first + random.below(6));
  return sayItems(
    'FETCH_INV_DATA',
    1,
    Array.from({ length: last - first + 1 }, (_, at) => idAt(stage, first + at)),
  );
}

/** A peer requests ids and blocks. Some requests are invalid. */
export const questions: Act = async (stage) => {
  const { random } = stage;
  await join(stage, 'a', random.pick(['behind', 'behind', 'in sync', 'ahead'] as const));
  for (let times = 1 + random.below(5); times > 0 && !stage.hasEnded('a'); times--) {
    if (random.chance(0.5)) await stage.say('a', 'sends a summary', [summary(stage)]);
    else await stage.say('a', 'requests items', [fetch(stage)]);
    if (random.chance(0.05)) await stage.nodes.grow();
  }
};
