import { present } from '../../../../src/primitives/assert.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { type Act, greet } from '../act.js';
import { FLAWS, makeBlock, unknownId } from '../made-block.js';
import { helloId, helloOf, type SaidId, saidId, sayBlock, sayChainIds, sayHello, sayItems } from '../said.js';
import type { Stage } from '../stage.js';

/**
 * Returns a branch that starts at the head, or at a block between the solidified block and the head. Lower branches
 * are not tested: if a peer announces another block than requested, this node disconnects the peer immediately, and
 * java-tron after a timeout.
 */
export function branch(stage: Stage, length: number): DecodedBlock[] {
  const { random, nodes } = stage;
  const { ledger, recent, solidifiedNumber } = nodes.ours.node.chain;
  const { headNumber, headId } = ledger.position;
  const deepest = headNumber - solidifiedNumber;
  const depth = random.chance(0.7) ? 0 : random.between(0, deepest);
  const parent = headNumber - depth;
  let parentId: Uint8Array = depth === 0 ? headId : present(ledger.blockIdAt(parent), 'below the head');
  let timeMs = depth === 0 ? recent.head.timeMs : nodes.ours.node.chain.storedHeader(parent).timeMs;
  // Each branch has different block times, because java-tron does not request a block again that it has requested but
  // not accepted.
  timeMs += 3000 * random.below(500);
  const made: DecodedBlock[] = [];
  const flawAt = random.chance(0.25) ? random.below(length) : -1;
  for (let at = 0; at < length; at++) {
    timeMs += 3000 * (depth > 0 && at === 0 ? 2 : 1);
    const block = makeBlock(nodes.ours, { parentId, timeMs, flaw: at === flawAt ? random.pick(FLAWS) : undefined });
    made.push(block);
    parentId = block.id;
  }
  stage.story.push(`a branch of ${length} on ${parent}, flaw at ${flawAt}`);
  return made;
}

function answer(stage: Stage, made: readonly DecodedBlock[]): Uint8Array {
  const { random, nodes } = stage;
  const first = present(made[0], 'a branch has blocks');
  const ids: SaidId[] = [saidId(first.raw.parentHash), ...made.map(({ id }) => saidId(id))];
  switch (random.below(12)) {
    case 0:
      return sayChainIds([]);
    case 1:
      return sayChainIds(ids, random.pick([1n, -1n, 5n, 2n ** 62n]));
    case 2:
      return sayChainIds(ids.slice(1));
    case 3:
      return sayChainIds([...ids].reverse());
    case 4:
      return sayChainIds([saidId(nodes.ours.node.chain.ledger.position.headId)]);
    case 5:
      return sayChainIds([...ids, saidId(unknownId(Number(ids.at(-1)?.number) + 1))]);
    case 6:
      return sayChainIds(
        Array.from({ length: random.pick([2000, 2001, 2002]) }, (_, at) =>
          at === 0 ? saidId(first.raw.parentHash) : saidId(unknownId(Number(ids[0]?.number) + at)),
        ),
        random.pick([0n, 10n]),
      );
    default:
      return sayChainIds(ids);
  }
}

/** The nodes sync from a peer that is ahead. */
export const syncs: Act = async (stage) => {
  const { random, nodes } = stage;
  const made = branch(stage, 1 + random.below(8));
  const last = present(made.at(-1), 'a branch has blocks');
  await greet(stage, 'a');
  await stage.say('a', 'sends HELLO, ahead', [sayHello(helloOf(nodes.ours, { headBlockId: helloId(last.id) }))]);
  if (stage.hasEnded('a')) return;
  if (random.chance(0.1)) await stage.say('a', 'announces', [sayItems('INVENTORY', 1, [last.id])]);
  await stage.say('a', 'sends its ids', [answer(stage, made)], { quietMs: 1300 });
  if (stage.hasEnded('a')) return;
  const order = random.chance(0.7) ? made : [...made].reverse();
  const some = random.chance(0.8) ? order : order.slice(random.below(order.length));
  await stage.say(
    'a',
    'sends the blocks',
    some.map(({ bytes }) => sayBlock(bytes)),
    { quietMs: 2300 },
  );
  if (stage.hasEnded('a')) return;
  if (random.chance(0.8))
    await stage.say('a', 'sends an empty list of ids', [sayChainIds([saidId(last.id)])], { quietMs: 300 });
  if (stage.hasEnded('a') || random.chance(0.5)) return;
  const next = makeBlock(nodes.ours, { parentId: last.id, timeMs: last.timeMs + 3000 });
  await stage.say('a', 'announces the next block', [sayItems('INVENTORY', 1, [next.id])]);
  if (!stage.hasEnded('a')) await stage.say('a', 'sends the block', [sayBlock(next.bytes)], { quietMs: 300 });
};
