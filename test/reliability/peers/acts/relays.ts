import type { HelloMessage } from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { secp256k1 } from '../../../../src/crypto/secp256k1.js';
import { addressBytes } from '../../../../src/primitives/address.js';
import { concatBytes, fromInt64 } from '../../../../src/primitives/bytes.js';
import { activeWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import { transfer } from '../../../support/peers/transfer.js';
import { type Act, greet, join } from '../act.js';
import { FLAWS, keyOf, makeBlock, unknownId } from '../made-block.js';
import { helloOf, sayBlock, sayHello, sayItems } from '../said.js';
import type { Stage } from '../stage.js';
import { idOf } from './announcements.js';

/** Addresses of the configured relay nodes. The nodes accept blocks from them without a request. */
export const RELAYS: readonly string[] = ['127.202.0.1', '127.202.0.2'];

/** Returns HELLO fields of a node that produces for a witness. Sometimes the fields are forged. */
function producer({ random, nodes }: Stage): Partial<HelloMessage> {
  const active = activeWitnesses(nodes.ours.node.chain.state);
  const witness = random.pick(active);
  const timestamp = random.pick([1n, BigInt(Date.now()), -5n, 2n ** 62n]);
  const way = random.below(10);
  const signed = sha256(fromInt64(way === 0 ? timestamp + 1n : timestamp));
  const { signature, recid } = secp256k1.sign(signed, keyOf(random.chance(0.9) ? witness : random.pick(active)));
  const whole = concatBytes(signature, Uint8Array.of(recid));
  const address = way === 1 ? random.bytes(21) : way === 2 ? new Uint8Array(0) : addressBytes(witness);
  const answer =
    way === 3
      ? random.pick([new Uint8Array(0), whole.subarray(0, 64), random.bytes(65), concatBytes(whole, random.bytes(2))])
      : whole;
  return { address, signature: answer, timestamp };
}

/** Producing nodes connect to a relay node and send it blocks that it has not requested. */
export const producers: Act = async (stage) => {
  const { random, nodes } = stage;
  const names = ['a', 'b', 'c', 'd'].slice(0, 1 + random.below(4));
  for (const name of names) {
    await greet(stage, name);
    await stage.say(name, 'sends HELLO as a producer', [sayHello(helloOf(nodes.ours, producer(stage)))]);
  }
  for (let times = 1 + random.below(4); times > 0; times--) {
    const name = random.pick(names);
    if (!stage.isThere(name)) continue;
    if (random.chance(0.2)) await announceTransaction(stage, name);
    else await giveBlock(stage, name);
  }
};

/** Relay nodes send the nodes unrequested blocks. The nodes announce no transactions to them. */
export const fromRelays: Act = async (stage) => {
  const { random } = stage;
  await join(stage, 'r', random.pick(['in sync', 'in sync', 'behind', 'ahead'] as const), {
    from: random.pick(RELAYS),
  });
  await join(stage, 'a');
  for (let times = 1 + random.below(4); times > 0; times--) {
    const name = random.chance(0.7) ? 'r' : 'a';
    if (!stage.isThere(name)) continue;
    if (random.chance(0.3)) await announceTransaction(stage, name);
    else await giveBlock(stage, name);
  }
};

async function announceTransaction(stage: Stage, name: string): Promise<void> {
  const { random, nodes } = stage;
  if (random.chance(0.3)) {
    stage.story.push('a client submits a transaction');
    await nodes.submit(transfer(nodes.ours, BigInt(1 + random.below(1_000_000_000))));
    await stage.compare({ quietMs: 150 });
    return;
  }
  const one = transfer(nodes.ours, BigInt(1 + random.below(1_000_000_000)));
  await stage.say(name, 'announces a transaction', [sayItems('INVENTORY', 0, [idOf(one)])]);
}

async function giveBlock(stage: Stage, name: string): Promise<void> {
  const { random, nodes } = stage;
  const { ledger, recent } = nodes.ours.node.chain;
  const { headNumber, headId } = ledger.position;
  const parentId = random.chance(0.8)
    ? headId
    : random.chance(0.5)
      ? (ledger.blockIdAt(headNumber - 1 - random.below(3)) ?? headId)
      : unknownId(headNumber + random.below(3));
  const flaw = random.chance(0.3) ? random.pick(FLAWS) : undefined;
  const timeMs = recent.head.timeMs + 3000 * (1 + random.below(4));
  const block = makeBlock(nodes.ours, { parentId, timeMs, flaw });
  if (random.chance(0.2)) await stage.say(name, 'announces a block', [sayItems('INVENTORY', 1, [block.id])]);
  if (!stage.isThere(name)) return;
  await stage.say(name, `sends a block, fault: ${flaw ?? 'none'}`, [sayBlock(block.bytes)], { quietMs: 300 });
  if (stage.isThere(name) && random.chance(0.2))
    await stage.say(name, 'sends the block again', [sayBlock(block.bytes)], { quietMs: 300 });
  if (stage.isThere('a') && random.chance(0.3))
    await stage.say('a', 'requests the block', [sayItems('FETCH_INV_DATA', 1, [block.id])]);
}
