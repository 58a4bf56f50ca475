import t, { type Test } from 'tap';
import { blockIdOfHex } from '../../../../src/p2p/wire/block-id.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { encodeItems, encodeMessage, encodeSyncRequest } from '../../../../src/p2p/wire/messages.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { bytesOf } from '../../../support/p2p/captures.js';
import { endsFor, type Misbehaviour } from '../../../support/peers/misbehaviour.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { anyId, TronPeer } from '../../../support/peers/tron-peer.js';
import { until } from '../../../support/until.js';

const LATER = 'tronicle.release = "4.8.2"';

const blockAt = ({ node }: PeerNode, number: number): ReturnType<typeof blockIdOfHex> =>
  blockIdOfHex(Buffer.from(node.chain.ledger.blockIdAt(number)!).toString('hex'));

const request = (ids: readonly string[]): Uint8Array => encodeItems('FETCH_INV_DATA', { kind: 'block', ids });

/** Messages that a peer sends, with the reason with which a node of release 4.8.2 disconnects. */
const cases: readonly Misbehaviour[] = [
  ['a HELLO without block ids', 'INCOMPATIBLE_PROTOCOL', (peer) => [peer.hello({ headBlockId: undefined })]],
  [
    'a release text above the limit',
    'INCOMPATIBLE_PROTOCOL',
    (peer) => [peer.hello({ codeVersion: new Uint8Array(201) })],
  ],
  ['an unknown message type', 'NO_SUCH_MESSAGE', () => [bytesOf('5500')]],
  [
    'a repeated id',
    'BAD_PROTOCOL',
    (peer) => [peer.hello(), encodeItems('INVENTORY', { kind: 'block', ids: [anyId('0a'), anyId('0a')] })],
  ],
  ['an unknown inventory kind', 'BAD_PROTOCOL', (peer) => [peer.hello(), bytesOf(`0608021220${'0a'.repeat(32)}`)]],
  [
    'a summary of 31 ids',
    'BAD_PROTOCOL',
    (peer, node) => [peer.hello(), encodeSyncRequest(Array.from({ length: 31 }, () => blockAt(node, 1)))],
  ],
  [
    'a request for 101 blocks',
    'BAD_PROTOCOL',
    (peer, node) => [
      peer.hello(),
      encodeSyncRequest([blockAt(node, 1)]),
      // Each id contains the height of block 1, so it could belong to an announced block.
      request(
        Array.from(
          { length: 101 },
          (_, at) => `${blockAt(node, 1).hex.slice(0, 16)}${at.toString(16).padStart(48, '0')}`,
        ),
      ),
    ],
  ],
  [
    'five requests at once',
    'BAD_PROTOCOL',
    (peer, node) => [
      peer.hello(),
      encodeSyncRequest([blockAt(node, 1)]),
      ...[2, 3, 4, 5, 6].map((number) => request([blockAt(node, number).hex])),
    ],
  ],
];

t.test('disconnects for the faults of release 4.8.2', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  await node.produce(12);
  await endsFor(t, node, cases);
  const slow = await TronPeer.dial(node);
  slow.say(slow.hello(), encodeSyncRequest([blockAt(node, 1)]));
  for (const number of [2, 3, 4, 5]) slow.say(request([blockAt(node, number).hex]));
  for (let count = 0; count < 4; count++) await slow.next(WireMessageType.BLOCK);
  slow.say(encodeMessage('P2P_PING', bytesOf('c0')));
  t.same(await slow.next(WireMessageType.P2P_PONG), bytesOf('c0'), 'four requests are answered');
});

t.test('skips blocks above 100 in ten seconds and keeps the peer', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  const peer = await TronPeer.inSync(node);
  const ids = Array.from({ length: 101 }, (_, at) => anyId((at + 16).toString(16).padStart(2, '0').slice(-2)));
  peer.say(encodeItems('INVENTORY', { kind: 'block', ids: [...new Set(ids)] }));
  peer.say(encodeMessage('P2P_PING', bytesOf('c0')));
  t.same(await peer.next(WireMessageType.P2P_PONG), bytesOf('c0'));
  const [seen] = node.network.peers.active();
  t.equal(seen?.itemRequests.size, 0, 'no item is requested');
  peer.say(encodeItems('INVENTORY', { kind: 'block', ids: ids.slice(0, 100) }));
  await peer.next(WireMessageType.FETCH_INV_DATA);
  t.equal(seen?.itemRequests.size, 1, 'only the first of a hundred blocks is requested; the others wait for it');
});

for (const [one, other] of [
  ['', LATER],
  [LATER, ''],
  [LATER, LATER],
] as const) {
  t.test(`syncs a ${one} node from a ${other} node`, async (t: Test) => {
    const full = await PeerNode.start(t, { more: other });
    await full.produce(30);
    const fresh = await PeerNode.start(t, { more: one, dials: [full.port] });
    await until('the same head at both nodes', () => fresh.head === full.head);
    const [block] = await full.produce(1);
    await until('a new block at both nodes', () => fresh.head === block!.idHex);
    const [peer] = fresh.network.peers.active();
    t.same(peer?.hello?.codeVersion, other === LATER ? utf8('4.8.2') : new Uint8Array(0));
  });
}
