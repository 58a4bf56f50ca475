import secp256k1 from 'secp256k1';
import t, { type Test } from 'tap';
import {
  PBFTMessageDataType as DataType,
  PBFTMessageMsgType as MsgType,
  PBFTMessage,
  PBFTMessageRaw,
} from '../../../../src/codec/generated/messages.js';
import { sha256 } from '../../../../src/crypto/hash.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { concatBytes, fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { keys, PeerNode } from '../../../support/peers/peer-node.js';
import { TronPeer } from '../../../support/peers/tron-peer.js';
import { until } from '../../../support/until.js';

/** Returns a vote for the block at a height, signed with a key. */
function vote(key: string | undefined, height: bigint): Uint8Array {
  const rawData = Object.assign(new PBFTMessageRaw(), {
    msgType: MsgType.PREPARE,
    dataType: DataType.BLOCK,
    viewN: height,
    epoch: 2_000_000_000_000n,
    data: Buffer.alloc(32, 7),
  });
  const { signature, recid } = secp256k1.ecdsaSign(sha256(PBFTMessageRaw.encode(rawData)), fromHex(key!));
  const message = Object.assign(new PBFTMessage(), {
    rawData,
    signature: concatBytes(signature, Uint8Array.of(recid)),
  });
  return encodeMessage('PBFT_MSG', PBFTMessage.encode(message));
}

t.test('forwards a witness vote to all other peers once, and disconnects on an invalid one', async (t: Test) => {
  const node = await PeerNode.start(t);
  await node.produce(3);
  const [first] = Object.values(keys);
  const unknown = Object.values(keys).at(-1);
  const voter = await TronPeer.inSync(node);
  const listener = await TronPeer.inSync(node);
  await until('sync with both peers', () => node.node.peers.inSync === 2);
  const [one, two] = [vote(first, 2n), vote(first, 3n)];
  voter.say(one, one, two);
  t.equal(toHex(await listener.next(WireMessageType.PBFT_MSG)), toHex(one.subarray(1)));
  t.equal(
    toHex(await listener.next(WireMessageType.PBFT_MSG)),
    toHex(two.subarray(1)),
    'the duplicate of the first vote was dropped',
  );
  voter.say(vote(unknown, 2n));
  t.equal(await voter.end(), 'BAD_PROTOCOL');
  listener.raw.close();
});

t.test('ignores votes during sync', async (t: Test) => {
  const node = await PeerNode.start(t);
  await node.produce(3);
  const peer = await TronPeer.dial(node);
  peer.say(vote(Object.values(keys).at(-1), 2n), Uint8Array.of(0x22, 0xc0));
  t.same(await peer.next(WireMessageType.P2P_PONG), Uint8Array.of(0xc0), 'the peer is still connected');
  peer.raw.close();
});
