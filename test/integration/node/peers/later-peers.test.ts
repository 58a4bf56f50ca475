import t, { type Test } from 'tap';
import { Block, Transaction, Transactions } from '../../../../src/codec/generated/messages.js';
import { blockIdOfHex } from '../../../../src/p2p/wire/block-id.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import {
  decodeChainIds,
  decodeItems,
  encodeDisconnect,
  encodeItems,
  encodeMessage,
  encodeSyncRequest,
} from '../../../../src/p2p/wire/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { type DecodedBlock, decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { decodeTransaction } from '../../../../src/state-transition/transactions/decode-transaction.js';
import { bytesOf } from '../../../support/p2p/captures.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { transfer } from '../../../support/peers/transfer.js';
import { anyId, TronPeer } from '../../../support/peers/tron-peer.js';
import { until } from '../../../support/until.js';

const LATER = 'tronicle.release = "4.8.2"';
const OLDER = 'tronicle.release = "4.7.2"';

const idAt = ({ node }: PeerNode, number: number): ReturnType<typeof blockIdOfHex> =>
  blockIdOfHex(toHex(node.chain.ledger.blockIdAt(number)!));
const request = (...ids: readonly string[]): Uint8Array => encodeItems('FETCH_INV_DATA', { kind: 'block', ids });
const announce = (kind: 'block' | 'transaction', ...ids: readonly string[]): Uint8Array =>
  encodeItems('INVENTORY', { kind, ids });
const ids = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => (from + at + 1).toString(16).padStart(64, 'f'));

/** Sends a ping and waits for the pong. The node sends the pong after it has processed all earlier messages. */
async function done(peer: TronPeer): Promise<void> {
  peer.say(encodeMessage('P2P_PING', bytesOf('c0')));
  await peer.next(WireMessageType.P2P_PONG);
}

/** Announces a block, and sends it when the node requests it. */
async function give(peer: TronPeer, { idHex }: DecodedBlock, bytes: Uint8Array): Promise<void> {
  peer.say(announce('block', idHex));
  await peer.next(WireMessageType.FETCH_INV_DATA);
  peer.say(encodeMessage('BLOCK', bytes));
}

t.test('notifies all peers when the node stops', async (t: Test) => {
  for (const [more, reason] of [
    [LATER, 'PEER_QUITING'],
    [OLDER, undefined],
  ] as const) {
    const node = await PeerNode.start(t, { more });
    const peer = await TronPeer.inSync(node);
    await done(peer);
    await node.network.close();
    t.equal(await peer.end(), reason, more);
  }
});

t.test('reports a wrong signature or merkle root of an announced block as a bad block', async (t: Test) => {
  const unsigned = (block: Block): void => {
    block.blockHeader!.witnessSignature = bytesOf('11'.repeat(65));
  };
  const otherRoot = (block: Block): void => void block.transactions.push(new Transaction());
  for (const [more, reasons] of [
    [LATER, ['BAD_BLOCK', 'BAD_BLOCK']],
    [OLDER, ['UNKNOWN']],
  ] as const) {
    const node = await PeerNode.start(t, { more });
    await node.produce(1);
    for (const [at, reason] of reasons.entries()) {
      const peer = await TronPeer.inSync(node);
      const message = Block.decode(node.make({ skip: at }).bytes);
      (at === 0 ? unsigned : otherRoot)(message);
      const bytes = Block.encode(message);
      await give(peer, decodeBlock(bytes), bytes);
      t.equal(await peer.end(), reason, `${more} ${at}`);
    }
  }
});

t.test('counts transaction ids before accepting them since 4.8.2', async (t: Test) => {
  for (const [more, expected] of [
    [LATER, 10],
    [OLDER, 21],
  ] as const) {
    const node = await PeerNode.start(t, { more: `${more}\nnode.maxTps = 1` });
    const peer = await TronPeer.inSync(node);
    peer.say(announce('transaction', ...ids(10)), announce('transaction', ...ids(11, 10)));
    await done(peer);
    await peer.next(WireMessageType.FETCH_INV_DATA);
    const [seen] = node.network.peers.active();
    await until('the announced items are requested', () => seen?.itemRequests.size === expected);
  }
});

t.test('applies node.maxBlockInvPerSecond and ignores unrequested blocks', async (t: Test) => {
  const node = await PeerNode.start(t, { more: `${LATER}\nnode.maxBlockInvPerSecond = 1` });
  await node.produce(12);
  const solidified = node.node.chain.solidifiedNumber;
  t.ok(solidified > 0);
  const peer = await TronPeer.inSync(node);
  const low = `${solidified.toString(16).padStart(16, '0')}${'0b'.repeat(24)}`;
  const high = `${(solidified + 1).toString(16).padStart(16, '0')}${'0b'.repeat(24)}`;
  peer.say(announce('block', low, high));
  t.same(
    decodeItems(await peer.next(WireMessageType.FETCH_INV_DATA)).ids,
    [high],
    'only ids above the solidified block are requested',
  );
  peer.say(announce('block', ...ids(9)));
  await done(peer);
  const [seen] = node.network.peers.active();
  t.equal(seen?.itemRequests.size, 1, 'eleven ids in ten seconds are above the limit');
  t.ok(seen?.received.has(`b${low}`));
  t.notOk(seen?.received.has(`b${ids(1)[0]}`), 'ids above the limit are ignored');
});

t.test('skips announcements while one side syncs', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  await node.produce(3);
  const peer = await TronPeer.dial(node);
  peer.say(announce('block', ...ids(2)));
  await done(peer);
  t.equal(node.network.peers.active()[0]?.received.has(`b${ids(1)[0]}`), false);
});

t.test(
  'disconnects a peer that sends chain summaries too often while the node has more ids for it',
  async (t: Test) => {
    const node = await PeerNode.start(t, { more: `${LATER}\nrate.limiter.p2p.syncBlockChain = 0.5` });
    await node.produce(5);
    const summary = encodeSyncRequest([idAt(node, 5)]);
    const peer = await TronPeer.dial(node);
    for (let at = 0; at < 20; at++) peer.say(summary);
    for (let at = 0; at < 20; at++) await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY);
    const [seen] = node.network.peers.active();
    t.equal(seen?.remaining, 0, 'no limit while no ids remain');
    seen!.remaining = 1;
    peer.say(summary);
    await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY);
    seen!.remaining = 1;
    peer.say(summary);
    t.equal(await peer.end(), 'BAD_PROTOCOL');
  },
);

t.test('reads only the first of several disconnect messages', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  const peer = await TronPeer.inSync(node);
  await done(peer);
  const [seen] = node.network.peers.active();
  while (seen!.limits.goodbyes.tryTake());
  peer.say(encodeDisconnect('TOO_MANY_PEERS'));
  await done(peer);
  t.equal(seen!.remoteReason, undefined, 'a message above the rate limit is ignored');
});

t.test('accepts a summary of 1 to 30 ids', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  await node.produce(5);
  const peer = await TronPeer.dial(node);
  peer.say(encodeSyncRequest(Array.from({ length: 30 }, () => idAt(node, 1))));
  t.equal(decodeChainIds(await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY)).ids.length, 5);
  for (const [what, summary] of [
    ['31', Array.from({ length: 31 }, () => idAt(node, 1))],
    ['none', []],
    ['an unknown id first', [blockIdOfHex(anyId('00'))]],
  ] as const) {
    const other = await TronPeer.dial(node);
    other.say(encodeSyncRequest(summary));
    t.equal(await other.end(), 'BAD_PROTOCOL', what);
  }
});

t.test('accepts sync requests only for announced ids, each once', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  await node.produce(6);
  const openPeer = async (): Promise<TronPeer> => {
    const peer = await TronPeer.dial(node);
    peer.say(encodeSyncRequest([idAt(node, 1)]));
    await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY);
    return peer;
  };
  const above = `${(7).toString(16).padStart(16, '0')}${'0b'.repeat(24)}`;
  const one = idAt(node, 2).hex;
  for (const [what, messages] of [
    ['above the last id', [request(above)]],
    ['the same id in two messages', [request(one), request(one)]],
    ['the same id in one message', [request(one, one)]],
  ] as const) {
    const peer = await openPeer();
    peer.say(...messages);
    t.equal(await peer.end(), 'BAD_PROTOCOL', what);
  }
});

t.test('sends an announced item to a peer once', async (t: Test) => {
  for (const [more, reason] of [
    [LATER, 'BAD_PROTOCOL'],
    [OLDER, undefined],
  ] as const) {
    for (const kind of ['block', 'transaction'] as const) {
      const node = await PeerNode.start(t, { more });
      await node.produce(1);
      const peer = await TronPeer.inSync(node);
      await done(peer);
      const payment = transfer(node, 1n);
      if (kind === 'block') await node.produce(1);
      else node.network.submitTransaction(decodeTransaction(payment));
      const [id = ''] = decodeItems(await peer.next(WireMessageType.INVENTORY)).ids;
      const question = encodeItems('FETCH_INV_DATA', { kind, ids: [id] });
      const answer = kind === 'block' ? WireMessageType.BLOCK : WireMessageType.TRXS;
      peer.say(question);
      await peer.next(answer);
      peer.say(question);
      if (reason === undefined) t.ok(await peer.next(answer), `${more} ${kind}`);
      else t.equal(await peer.end(), reason, `${more} ${kind}`);
    }
  }
});

t.test('disconnects on a duplicate transaction in a message', async (t: Test) => {
  const node = await PeerNode.start(t, { more: LATER });
  await node.produce(1);
  const peer = await TronPeer.inSync(node);
  const payment = transfer(node, 2n);
  peer.say(announce('transaction', decodeTransaction(payment).idHex));
  await peer.next(WireMessageType.FETCH_INV_DATA);
  const transactions = [payment, payment];
  peer.say(encodeMessage('TRXS', Transactions.encode(Object.assign(new Transactions(), { transactions }))));
  t.equal(await peer.end(), 'BAD_PROTOCOL');
});

t.test('treats an announced block as common with all its announcers', async (t: Test) => {
  for (const [more, common] of [
    [LATER, 2],
    [OLDER, 0],
  ] as const) {
    const node = await PeerNode.start(t, { more });
    await node.produce(1);
    const [sender, other] = [await TronPeer.inSync(node), await TronPeer.inSync(node)];
    const block = node.make();
    sender.say(announce('block', block.idHex));
    await sender.next(WireMessageType.FETCH_INV_DATA);
    other.say(announce('block', block.idHex));
    await done(other);
    sender.say(encodeMessage('BLOCK', block.bytes));
    await until('the import of the block', () => node.head === block.idHex);
    const seen = node.network.peers.active();
    t.same(
      seen.map(({ commonBlock }) => commonBlock.number),
      [common, common],
      more,
    );
    t.equal(seen.filter(({ blockReceivedMs }) => blockReceivedMs > 0).length, 1, 'one of the peers sent the block');
  }
});
