import {
  PBFTMessageDataType as DataType,
  PBFTMessageMsgType as MsgType,
  PBFTMessage,
  PBFTMessageRaw,
} from '../../../../src/codec/generated/messages.js';
import type { Address } from '../../../../src/domain/address.js';
import { concatBytes } from '../../../../src/domain/bytes.js';
import { sha256 } from '../../../../src/domain/hash.js';
import { secp256k1 } from '../../../../src/domain/secp256k1.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { activeWitnesses } from '../../../../src/vm/consensus/schedule.js';
import { type Act, join } from '../act.js';
import { keyOf, unknownId } from '../made-block.js';
import { saidId, sayItems, saySummary } from '../said.js';
import type { Stage } from '../stage.js';

interface Vote {
  readonly msgType: number;
  readonly viewN: number;
  readonly data: Uint8Array;
  readonly epoch: bigint;
}

function sayVote({ msgType, viewN, data, epoch }: Vote, witness: Address): Uint8Array {
  const rawData = Object.assign(new PBFTMessageRaw(), {
    msgType,
    dataType: DataType.BLOCK,
    viewN: BigInt(viewN),
    epoch,
    data,
  });
  const { signature, recid } = secp256k1.sign(sha256(PBFTMessageRaw.encode(rawData)), keyOf(witness));
  const message = Object.assign(new PBFTMessage(), {
    rawData,
    signature: concatBytes(signature, Uint8Array.of(recid)),
  });
  return encodeMessage('PBFT_MSG', PBFTMessage.encode(message));
}

function shuffled<T>({ dice }: Stage, items: readonly T[]): readonly T[] {
  const placed = items.map((item) => ({ item, place: dice.below(1_000_000) }));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/** Witnesses vote on blocks of the chain: what is passed on, what is agreed on, and what who syncs is given of it. */
export const votes: Act = async (stage) => {
  const { dice, nodes } = stage;
  await join(stage, 'a', dice.chance(0.9) ? 'in sync' : 'ahead');
  await join(stage, 'b', dice.pick(['in sync', 'behind'] as const));
  const { chain } = nodes.ours.node;
  const witnesses = activeWitnesses(chain.state);
  for (let blocks = 1 + dice.below(3); blocks > 0; blocks--) {
    const epoch = chain.state.properties.get('NEXT_MAINTENANCE_TIME');
    const early = dice.chance(0.2);
    const viewN = nodes.ours.headNumber + (early ? 1 : 0);
    const isAnnounced = dice.chance(0.7);
    if (!early) await (isAnnounced ? nodes.make() : nodes.grow());
    await stage.compare({ quietMs: 100 });
    const number = early ? viewN : nodes.ours.headNumber;
    const data = early || dice.chance(0.1) ? unknownId(number) : (chain.ledger.blockIdAt(number) ?? unknownId(number));
    for (const msgType of dice.chance(0.9) ? [MsgType.PREPARE, MsgType.COMMIT] : [MsgType.COMMIT, MsgType.PREPARE]) {
      const voters = shuffled(stage, witnesses).slice(0, dice.chance(0.7) ? witnesses.length : 1 + dice.below(5));
      for (const witness of voters) {
        const name = dice.chance(0.7) ? 'a' : 'b';
        if (!stage.isThere(name)) continue;
        await stage.say(
          name,
          `votes ${msgType} on ${number}`,
          [sayVote({ msgType, viewN: number, data, epoch }, witness)],
          {
            quietMs: 30,
          },
        );
      }
    }
    if (early) await nodes.grow();
    await stage.compare({ quietMs: 100 });
    await stage.compareNodes();
  }
  if (dice.chance(0.6)) await sync(stage);
};

/** Somebody who is behind asks for the newest blocks. */
async function sync(stage: Stage): Promise<void> {
  const { nodes } = stage;
  await join(stage, 's', 'behind');
  const { ledger } = nodes.ours.node.chain;
  const { headNumber } = nodes.ours;
  const ids = Array.from({ length: 6 }, (_, at) => ledger.blockIdAt(headNumber - 5 + at) ?? new Uint8Array(0));
  await stage.say('s', 'sends a summary', [saySummary(ids.slice(0, 1).map((id) => saidId(id)))]);
  if (stage.isThere('s')) await stage.say('s', 'asks for the blocks', [sayItems('FETCH_INV_DATA', 1, ids.slice(1))]);
}
