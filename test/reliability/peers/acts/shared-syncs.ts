import { unwrapMessage } from '../../../../src/p2p/transport/compression.js';
import { FRAME_BYTES_MAX } from '../../../../src/p2p/transport/frames.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { decodeItems } from '../../../../src/p2p/wire/messages.js';
import { present } from '../../../../src/primitives/assert.js';
import type { DecodedBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { type Act, greet } from '../act.js';
import { makeBlock } from '../made-block.js';
import { helloId, helloOf, saidId, sayBlock, sayChainIds, sayHello } from '../said.js';
import type { Stage, Turn } from '../stage.js';
import { branch } from './syncs.js';

/**
 * Time in ms after which java-tron has executed the received blocks and requested the next ones. java-tron does both
 * once per second.
 */
const REQUESTED_MS = 1300;
const IMPORTED_MS = 2300;
/**
 * Time in ms after which java-tron has executed received blocks. It is shorter than `REQUESTED_MS`, because requested
 * blocks must arrive within 5 s of the request.
 */
const EXECUTED_MS = 1200;
const SHORT_MS = 50;

/**
 * Two peers are ahead, on the same chain or on two chains. The nodes request each block from one of the two peers. If
 * this peer disconnects, the nodes request the block from the other peer.
 */
export const sharedSyncs: Act = async (stage) => {
  const { random, nodes } = stage;
  const first = branch(stage, random.between(2, 6));
  const second = secondChain(stage, first);
  const chains = { a: first, b: second };
  for (const [name, chain] of Object.entries(chains)) {
    const headBlockId = helloId(present(chain.at(-1), 'a chain has blocks').id);
    await greet(stage, name);
    await stage.say(name, 'sends HELLO, ahead', [sayHello(helloOf(nodes.ours, { headBlockId }))]);
  }
  for (const [name, chain] of Object.entries(chains)) {
    if (!stage.isThere(name)) continue;
    const [{ raw }] = chain as readonly [DecodedBlock];
    const ids = [saidId(raw.parentHash), ...chain.map(({ id }) => saidId(id))];
    await stage.say(name, `sends ${ids.length} ids`, [sayChainIds(ids)], { quietMs: REQUESTED_MS });
  }
  // The nodes disconnect a peer if requested blocks do not arrive within 5 s. Therefore, a peer of this act sends
  // requested blocks immediately, or disconnects.
  const delivered = new Set<string>();
  const give = async (name: 'a' | 'b', share: number, turn: Turn): Promise<void> => {
    if (!stage.isThere(name)) return;
    const requested = requestedOf(stage, name).filter((id) => !delivered.has(name + id));
    const blocks = requested.slice(0, Math.ceil(requested.length * share)).flatMap((id) => {
      delivered.add(name + id);
      return chains[name].find(({ idHex }) => idHex === id) ?? [];
    });
    const messages = blocks.map(({ bytes }) => sayBlock(bytes));
    if (messages.length > 0)
      await stage.say(name, `sends ${messages.length} of ${requested.length} blocks`, messages, turn);
  };
  const leave = async (name: 'a' | 'b', quietMs: number): Promise<void> => {
    if (!stage.isThere(name)) return;
    await stage.leave(name);
    await stage.compare({ quietMs });
  };
  const way = random.below(5);
  if (way === 0) await leave('b', SHORT_MS);
  if (way === 1) await leave('a', REQUESTED_MS);
  if (way === 2 && stage.isThere('b'))
    await stage.say(
      'b',
      'sends unrequested blocks',
      first.map(({ bytes }) => sayBlock(bytes)),
    );
  if (way === 3) {
    await give('a', 0.5, { quietMs: EXECUTED_MS });
    await leave('a', REQUESTED_MS);
  }
  await give('a', 1, { quietMs: SHORT_MS });
  await give('b', 1, { quietMs: IMPORTED_MS });
  await stage.compare({ quietMs: IMPORTED_MS });
  for (const [name, chain] of Object.entries(chains)) {
    if (!stage.isThere(name)) continue;
    const last = present(chain.at(-1), 'a chain has blocks').id;
    await stage.say(name, 'sends an empty list of ids', [sayChainIds([saidId(last)])], { quietMs: REQUESTED_MS });
  }
};

/** Returns the ids (hex) of all blocks that this node has requested from a peer. */
function requestedOf(stage: Stage, name: string): readonly string[] {
  return stage.framesOf(name).flatMap((frame) => {
    if ((frame[0] ?? 0) >= 0x80) return [];
    const message = unwrapMessage(frame, FRAME_BYTES_MAX);
    return message[0] === WireMessageType.FETCH_INV_DATA ? decodeItems(message.subarray(1)).ids : [];
  });
}

/**
 * Number of blocks at the end of a chain that a reorg can still revert, for any order of producers. Four of five
 * witnesses must build on a block to solidify it.
 */
const REVERSIBLE = 3;

/**
 * Returns the chain of the second peer. It equals the first chain, is shorter or longer, or branches off above the
 * height that the first chain solidifies. Lower branches are not tested: if a peer announces other blocks than
 * requested, this node sends it a new request immediately, and java-tron ignores the peer until a timeout.
 */
function secondChain(stage: Stage, first: readonly DecodedBlock[]): readonly DecodedBlock[] {
  const { random, nodes } = stage;
  const way = random.below(4);
  if (way === 0) return first;
  if (way === 1) return first.slice(0, random.between(1, first.length));
  const common = way === 2 ? first : first.slice(0, Math.max(1, first.length - REVERSIBLE));
  const made = [...common];
  for (let count = random.between(1, 3); count > 0; count--) {
    const parent = present(made.at(-1), 'a chain has blocks');
    made.push(makeBlock(nodes.ours, { parentId: parent.id, timeMs: parent.timeMs + 3000 * (way === 2 ? 1 : 2) }));
  }
  stage.story.push(`the second chain has ${made.length} blocks, of which ${common.length} are in the first chain`);
  return made;
}
