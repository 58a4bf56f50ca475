import {
  PBFTMessageDataType as DataType,
  PBFTMessageMsgType as MsgType,
  PBFTMessage,
  PBFTMessageRaw,
  SRL,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { secp256k1 } from '../../../../src/crypto/secp256k1.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { type Address, addressBytes } from '../../../../src/primitives/address.js';
import { concatBytes } from '../../../../src/primitives/bytes.js';
import { activeWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import { type Act, join } from '../act.js';
import { keyOf, unknownId } from '../made-block.js';
import { saidId, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';

interface Subject {
  readonly dataType: number;
  readonly viewN: bigint;
  readonly epoch: bigint;
  readonly data: Uint8Array;
}

const SLOT_MS = 3000n;
const STAGES = [MsgType.PREPARE, MsgType.COMMIT];

function sayVote(msgType: number, subject: Subject, witness: Address): Uint8Array {
  const rawData = Object.assign(new PBFTMessageRaw(), { msgType, ...subject });
  const { signature, recid } = secp256k1.sign(sha256(PBFTMessageRaw.encode(rawData)), keyOf(witness));
  const message = Object.assign(new PBFTMessage(), {
    rawData,
    signature: concatBytes(signature, Uint8Array.of(recid)),
  });
  return encodeMessage('PBFT_MSG', PBFTMessage.encode(message));
}

function shuffled<T>({ random }: Stage, items: readonly T[]): readonly T[] {
  const placed = items.map((item) => ({ item, place: random.below(1_000_000) }));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/**
 * Witnesses vote on blocks of the chain (PBFT). Compares the votes that the nodes forward, the blocks on which they
 * find agreement, and the proofs that they send to a syncing peer.
 */
export const votes: Act = async (stage) => {
  const { random, nodes } = stage;
  await join(stage, 'a', random.chance(0.9) ? 'in sync' : 'ahead');
  await join(stage, 'b', random.pick(['in sync', 'behind'] as const));
  const { properties } = nodes.ours.node.chain.state;
  for (let blocks = random.between(1, 3); blocks > 0; blocks--) {
    const epoch = properties.get('NEXT_MAINTENANCE_TIME');
    const isEarly = random.chance(0.2);
    if (!isEarly) await (random.chance(0.7) ? nodes.make() : nodes.grow());
    await stage.compare({ quietMs: 100 });
    await vote(stage, ofBlock(stage, nodes.ours.headNumber + (isEarly ? 1 : 0), epoch), isEarly);
    if (isEarly) await nodes.grow();
    if (random.chance(0.2)) await electOthers(stage);
    await stage.compare({ quietMs: 100 });
    await stage.compareNodes();
  }
  if (random.chance(0.6)) await sync(stage);
};

function ofBlock({ random, nodes }: Stage, number: number, epoch: bigint): Subject {
  const { ledger } = nodes.ours.node.chain;
  const id = random.chance(0.9) ? ledger.blockIdAt(number) : undefined;
  return { dataType: DataType.BLOCK, viewN: BigInt(number), epoch, data: id ?? unknownId(number) };
}

/** Adds blocks up to a maintenance that changes the witnesses. The witnesses then vote on the new list of witnesses. */
async function electOthers(stage: Stage): Promise<void> {
  const { random, nodes } = stage;
  const { state, recent } = nodes.ours.node.chain;
  const slots = (state.properties.get('NEXT_MAINTENANCE_TIME') - BigInt(recent.head.timeMs)) / SLOT_MS;
  stage.story.push('the next block is a maintenance');
  await nodes.grow(Number(slots) + 1);
  await stage.compare({ quietMs: 100 });
  const epoch = state.properties.get('NEXT_MAINTENANCE_TIME');
  const srAddress = activeWitnesses(state).map(addressBytes);
  const data = random.chance(0.9) ? SRL.encode(Object.assign(new SRL(), { srAddress })) : random.bytes(9);
  await vote(stage, { dataType: DataType.SRL, viewN: epoch, epoch, data });
}

/**
 * Sends the votes of some witnesses in random order, each through one of two peers.
 * @param isEarly true for votes that arrive before the block or the list of witnesses that they are for. The number
 * of prepares is then equal to the number of commits. Otherwise, the result would depend on the order in which
 * java-tron reads its hash table of early votes
 */
async function vote(stage: Stage, subject: Subject, isEarly = false): Promise<void> {
  const { random, nodes } = stage;
  const witnesses = activeWitnesses(nodes.ours.node.chain.state);
  const chosen = (): number => (random.chance(0.7) ? witnesses.length : random.between(1, witnesses.length));
  const early = isEarly ? chosen() : undefined;
  for (const msgType of random.chance(0.9) ? STAGES : [...STAGES].reverse()) {
    const count = early ?? chosen();
    for (const witness of shuffled(stage, witnesses).slice(0, count)) {
      const name = random.chance(0.7) ? 'a' : 'b';
      if (!stage.isThere(name)) continue;
      const msgTypeSent =
        isEarly || random.chance(0.95) ? msgType : random.pick([MsgType.VIEW_CHANGE, MsgType.REQUEST]);
      const what = `votes ${msgTypeSent} on ${subject.viewN}`;
      await stage.say(name, what, [sayVote(msgTypeSent, subject, witness)], { quietMs: 30 });
    }
  }
}

/** A peer that is behind requests the newest blocks. */
async function sync(stage: Stage): Promise<void> {
  const { nodes } = stage;
  await join(stage, 's', 'behind');
  const { ledger } = nodes.ours.node.chain;
  const { headNumber } = nodes.ours;
  const ids = Array.from({ length: 6 }, (_, at) => ledger.blockIdAt(headNumber - 5 + at) ?? new Uint8Array(0));
  await stage.say('s', 'sends a summary', [saySummary(ids.slice(0, 1).map((id) => saidId(id)))]);
  if (stage.isThere('s')) await stage.say('s', 'requests the blocks', [sayItems('FETCH_INV_DATA', 1, ids.slice(1))]);
}
