import { present } from '../../../../src/primitives/assert.js';
import { type Act, join } from '../act.js';
import { unknownId } from '../made-block.js';
import { type SaidId, saidId, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';

function idAt({ nodes }: Stage, number: number): Uint8Array {
  return present(nodes.ours.node.chain.ledger.blockIdAt(number), 'of a block that there is');
}

function anyHeight({ nodes, dice }: Stage): number {
  const { headNumber } = nodes.ours;
  return dice.chance(0.5) ? dice.below(headNumber + 1) : headNumber - dice.below(Math.min(headNumber, 12));
}

/** Returns the id of an existing block, or a similar id. */
function anyId(stage: Stage): Uint8Array {
  const { dice, nodes } = stage;
  if (dice.chance(0.75)) return idAt(stage, anyHeight(stage));
  return dice.pick([
    unknownId(anyHeight(stage)),
    unknownId(nodes.ours.headNumber + 1),
    dice.bytes(32),
    dice.bytes(31),
    new Uint8Array(0),
    unknownId(-5),
  ]);
}

function anySaid(stage: Stage): SaidId {
  const { dice } = stage;
  const id = saidId(anyId(stage));
  return dice.chance(0.1) ? { hash: id.hash, number: dice.pick([0n, -1n, id.number + 1n, 2n ** 62n]) } : id;
}

/** Returns a request of a peer that syncs from the node. */
function summary(stage: Stage): Uint8Array {
  const { dice } = stage;
  const way = dice.below(8);
  if (way === 0) return saySummary([]);
  if (way === 1) return saySummary([saidId(idAt(stage, 0))]);
  if (way === 2) return saySummary(Array.from({ length: 25 + dice.below(10) }, () => anySaid(stage)));
  const heights = Array.from({ length: 1 + dice.below(5) }, () => anyHeight(stage)).sort((a, b) => a - b);
  if (way < 6)
    return saySummary(
      heights.map((height) => saidId(idAt(stage, height))),
      dice.chance(0.9) ? 0 : dice.below(5),
    );
  return saySummary(heights.map(() => anySaid(stage)));
}

function fetch(stage: Stage): Uint8Array {
  const { dice } = stage;
  const way = dice.below(8);
  if (way === 0) return sayItems('FETCH_INV_DATA', 1, []);
  if (way === 1) return sayItems('FETCH_INV_DATA', dice.pick([0, 2, 7]), [anyId(stage)]);
  if (way === 2) return sayItems('FETCH_INV_DATA', 1, [idAt(stage, 3), idAt(stage, 3)]);
  if (way === 3)
    return sayItems(
      'FETCH_INV_DATA',
      1,
      Array.from({ length: 95 + dice.below(12) }, (_, at) => (at < 29 ? idAt(stage, at + 1) : unknownId(at))),
    );
  if (way === 4)
    return sayItems(
      'FETCH_INV_DATA',
      1,
      Array.from({ length: 1 + dice.below(4) }, () => anyId(stage)),
    );
  const first = 1 + dice.below(stage.nodes.ours.headNumber);
  const last = Math.min(stage.nodes.ours.headNumber, first + dice.below(6));
  return sayItems(
    'FETCH_INV_DATA',
    1,
    Array.from({ length: last - first + 1 }, (_, at) => idAt(stage, first + at)),
  );
}

/** A peer requests ids and blocks. */
export const questions: Act = async (stage) => {
  const { dice } = stage;
  await join(stage, 'a', dice.pick(['behind', 'behind', 'in sync', 'ahead'] as const));
  for (let times = 1 + dice.below(5); times > 0 && !stage.hasEnded('a'); times--) {
    if (dice.chance(0.5)) await stage.say('a', 'sends a summary', [summary(stage)]);
    else await stage.say('a', 'asks for items', [fetch(stage)]);
    if (dice.chance(0.05)) await stage.nodes.grow();
  }
};
