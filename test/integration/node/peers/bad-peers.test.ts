import t, { type Test } from 'tap';
import {
  Block,
  HelloMessageBlockId,
  Transaction,
  TransactionRaw,
  Transactions,
} from '../../../../src/codec/generated/messages.js';
import { blockIdOf } from '../../../../src/p2p/wire/block-id.js';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import {
  decodeItems,
  decodeSyncRequest,
  encodeChainIds,
  encodeItems,
  encodeMessage,
  encodeSyncRequest,
} from '../../../../src/p2p/wire/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../../src/state-transition/block/decoded-block.js';
import { bytesOf, capture } from '../../../support/p2p/captures.js';
import { endsFor, type Misbehaviour } from '../../../support/peers/misbehaviour.js';
import { NETWORK, PeerNode } from '../../../support/peers/peer-node.js';
import { anyId, TronPeer } from '../../../support/peers/tron-peer.js';
import { seeded } from '../../../support/projections/chain.js';
import { until } from '../../../support/until.js';

const id = (hex: string, number: number): HelloMessageBlockId =>
  Object.assign(new HelloMessageBlockId(), { hash: fromHex(hex), number: BigInt(number) });
const blockId = (hex: string): ReturnType<typeof blockIdOf> => blockIdOf(fromHex(hex));
const someTransaction = (): Uint8Array => {
  const transaction = Object.assign(new Transaction(), { rawData: new TransactionRaw() });
  return Transactions.encode(Object.assign(new Transactions(), { transactions: [transaction] }));
};

/** Messages that a peer sends after connecting, with the reason with which java-tron disconnects. */
const cases: readonly Misbehaviour[] = [
  ['a HELLO without block ids', 'UNEXPECTED_IDENTITY', (peer) => [peer.hello({ headBlockId: undefined })]],
  [
    'a lite node whose lowest block is above the head',
    'LIGHT_NODE_SYNC_FAIL',
    (peer) => [peer.hello({ lowestBlockNum: 1000n })],
  ],
  ['another network id', 'INCOMPATIBLE_VERSION', (peer) => [peer.hello({ version: NETWORK + 1 })]],
  ['another genesis', 'INCOMPATIBLE_CHAIN', (peer) => [peer.hello({ genesisBlockId: id(anyId('0a'), 0) })]],
  ['another solidified block', 'FORKED', (peer) => [peer.hello({ solidBlockId: id(anyId('0a'), 3) })]],
  ['an id of 31 bytes', 'UNKNOWN', (peer) => [peer.hello({ genesisBlockId: id('0a'.repeat(31), 0) })]],
  ['a second HELLO', 'BAD_PROTOCOL', (peer) => [peer.hello(), peer.hello()]],
  ['a message with a single transaction', 'BAD_PROTOCOL', () => [bytesOf('01')]],
  ['a malformed transaction', 'UNKNOWN', () => [bytesOf('01ffff')]],
  ['an unknown message type', 'BAD_PROTOCOL', () => [bytesOf('5500')]],
  ['a list of blocks', 'BAD_PROTOCOL', () => [bytesOf('0400')]],
  ['an old discovery message', 'BAD_PROTOCOL', () => [bytesOf('30')]],
  ['a malformed inventory', 'UNKNOWN', () => [bytesOf('06ffff')]],
  ['an inventory with an id of 5 bytes', 'UNKNOWN', (peer) => [peer.hello(), bytesOf('0612050102030405')]],
  ['a malformed vote', 'BAD_PROTOCOL', () => [bytesOf('34ffff')]],
  ['a malformed proof', 'UNKNOWN', () => [bytesOf('14ffff')]],
  ['a summary without ids', 'BAD_PROTOCOL', () => [encodeSyncRequest([])]],
  ['a summary whose first id is unknown', 'BAD_PROTOCOL', () => [encodeSyncRequest([blockId(anyId('00'))])]],
  [
    'a summary that ends below the ids of the last answer',
    'BAD_PROTOCOL',
    (_peer, { node }) => {
      const known = (number: number) => ({ ...blockIdOf(node.chain.ledger.blockIdAt(number)!), number });
      return [encodeSyncRequest([known(0), known(5)]), encodeSyncRequest([known(0), known(5)])];
    },
  ],
  [
    'chain ids without a request',
    'BAD_PROTOCOL',
    (peer) => [peer.hello(), encodeChainIds({ ids: [blockId(anyId('00'))], remaining: 0 })],
  ],
  [
    'a block without a request',
    'BAD_PROTOCOL',
    (peer, { node }) => [peer.hello(), encodeMessage('BLOCK', node.chain.ledger.block(2)!.block)],
  ],
  ['a malformed block', 'UNKNOWN', () => [bytesOf('02ffff')]],
  [
    'transactions without a request',
    'BAD_PROTOCOL',
    (peer) => [peer.hello(), encodeMessage('TRXS', someTransaction())],
  ],
  [
    'transactions without a request, of which the last one is malformed',
    'UNKNOWN',
    (peer) => {
      // The message is long, so the node decodes it in several turns of the event loop.
      const fine = new Array<Uint8Array>(1000).fill(someTransaction());
      return [peer.hello(), encodeMessage('TRXS', Buffer.concat([...fine, bytesOf('0a02ffff')]))];
    },
  ],
  [
    'a request for a transaction that was not announced',
    'BAD_PROTOCOL',
    (peer) => [peer.hello(), encodeItems('FETCH_INV_DATA', { kind: 'transaction', ids: [anyId('0b')] })],
  ],
  [
    'a request for blocks by a peer that is not behind',
    'BAD_PROTOCOL',
    (peer, node) => [peer.hello(), encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [node.head] })],
  ],
  [
    'a request for blocks before a request for ids',
    'UNKNOWN',
    (_peer, node) => [encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [node.head] })],
  ],
];

t.test('disconnects for the same faults and reasons as java-tron', async (t: Test) => {
  const node = await PeerNode.start(t);
  await node.produce(12);
  await endsFor(t, node, cases);
  const fine = await TronPeer.inSync(node);
  fine.say(bytesOf('22c0'));
  t.same(await fine.next(WireMessageType.P2P_PONG), bytesOf('c0'), 'a peer without a fault receives an answer');
  fine.say(bytesOf('2108ff01'));
  await fine.raw.ended();
});

t.test('sends ids and blocks to a peer that is behind, each block once', async (t: Test) => {
  const node = await PeerNode.start(t);
  await node.produce(30);
  const peer = await TronPeer.dial(node);
  peer.say(peer.hello({ headBlockId: id(blockIdOf(node.node.chain.ledger.blockIdAt(0)!).hex, 0) }));
  const known = (number: number) => blockIdOf(node.node.chain.ledger.blockIdAt(number)!);
  peer.say(encodeSyncRequest([known(0)]));
  const ids = await peer.next(WireMessageType.BLOCK_CHAIN_INVENTORY);
  t.equal(ids.length > 31 * 32, true, 'all 31 ids, the common block first');
  const expectedIds = [known(1).hex, known(2).hex];
  peer.say(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: expectedIds }));
  for (const hex of expectedIds) t.equal(decodeBlock(await peer.next(WireMessageType.BLOCK)).idHex, hex);
  peer.say(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [expectedIds[1]!] }));
  t.equal(await peer.end(), 'BAD_PROTOCOL', 'the second request for the same block');
  const other = await TronPeer.dial(node);
  other.say(encodeSyncRequest([known(0)]), encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [anyId('00')] }));
  t.equal(await other.end(), 'FETCH_FAIL', 'a block that the node does not have');
});

/**
 * Connects with an invented head, and answers the node's sync request with the ids of `blocks`. The node then requests
 * these blocks.
 */
async function lure(t: Test, node: PeerNode, blocks: readonly Uint8Array[]): Promise<TronPeer> {
  const peer = await TronPeer.dial(node);
  const decoded = blocks.map((bytes) => decodeBlock(bytes));
  const last = decoded.at(-1)!;
  peer.say(peer.hello({ headBlockId: id(last.idHex, last.number) }));
  const summary = decodeSyncRequest(await peer.next(WireMessageType.SYNC_BLOCK_CHAIN));
  const ids = [summary.at(-1)!, ...decoded.map(({ idHex, number }) => ({ hex: idHex, number }))];
  peer.say(encodeChainIds({ ids, remaining: 0 }));
  const { ids: requested } = decodeItems(await peer.next(WireMessageType.FETCH_INV_DATA));
  t.same(
    requested,
    decoded.map(({ idHex }) => idHex),
  );
  return peer;
}

t.test('disconnects the sender of invalid sync blocks', async (t: Test) => {
  const node = await PeerNode.start(t);
  const maker = await PeerNode.open(t);
  for (const block of await node.produce(12)) maker.node.chain.importBlock(block);
  const good = maker.make();
  const unsigned = Block.decode(good.bytes);
  unsigned.blockHeader!.witnessSignature = bytesOf('11'.repeat(65));
  const wrongRoot = Block.decode(good.bytes);
  wrongRoot.transactions.push(Object.assign(new Transaction(), { rawData: new TransactionRaw() }));
  for (const [what, block] of [
    ['signature', unsigned],
    ['merkle root', wrongRoot],
  ] as const) {
    const bytes = Block.encode(block);
    const peer = await lure(t, node, [bytes]);
    peer.say(encodeMessage('BLOCK', bytes));
    t.equal(await peer.end(), 'BAD_BLOCK', what);
    t.equal(node.headNumber, 12);
  }
  const other = await lure(t, node, [good.bytes]);
  other.say(encodeMessage('BLOCK', maker.make({ skip: 1 }).bytes));
  t.equal(await other.end(), 'BAD_PROTOCOL', 'a block that was not requested');
  const honest = await lure(t, node, [good.bytes]);
  honest.say(encodeMessage('BLOCK', good.bytes));
  await until('the valid block is applied', () => node.head === good.idHex);
});

t.test('rejects chain ids that do not answer the request', async (t: Test) => {
  const node = await PeerNode.start(t);
  await node.produce(12);
  const far = anyId('00').slice(16);
  const wrong: Readonly<
    Record<string, (first: { hex: string; number: number }) => Parameters<typeof encodeChainIds>[0]>
  > = {
    'no ids': () => ({ ids: [], remaining: 0 }),
    'a missing height': (first) => ({ ids: [first, { hex: far, number: first.number + 2 }], remaining: 0 }),
    'a first id that was not in the summary': (first) => ({
      ids: [{ hex: anyId('0c'), number: first.number }],
      remaining: 0,
    }),
    'remaining ids after an incomplete list': (first) => ({ ids: [first], remaining: 5 }),
    'a height above the highest possible one': (first) => ({
      ids: Array.from({ length: 2001 }, (_, at) =>
        at === 0 ? first : { hex: anyId('0d'), number: first.number + at },
      ),
      remaining: 1_000_000_000,
    }),
  };
  for (const [what, answer] of Object.entries(wrong)) {
    const peer = await TronPeer.dial(node);
    peer.say(peer.hello({ headBlockId: id(anyId('0e'), 999) }));
    const summary = decodeSyncRequest(await peer.next(WireMessageType.SYNC_BLOCK_CHAIN));
    const { ids, remaining } = answer(summary.at(-1)!);
    peer.say(
      encodeChainIds({ ids: ids.map(({ hex, number }) => ({ hex: hex.padStart(64, '0'), number })), remaining }),
    );
    t.equal(await peer.end(), 'BAD_PROTOCOL', what);
  }
});

t.test('disconnects on captured messages with flipped bits, without growing memory', async (t: Test) => {
  const node = await PeerNode.start(t);
  await node.produce(12);
  const below = seeded(20_261_122);
  const messages = capture('tron-messages').map(([, hex]) => bytesOf(hex));
  const round = async (): Promise<void> => {
    const peer = await TronPeer.inSync(node);
    for (let count = 1 + below(6); count > 0; count--) {
      const bytes = Buffer.from(messages[below(messages.length)]!);
      for (let flips = below(4); flips > 0; flips--) bytes[below(bytes.length)]! ^= 1 << below(8);
      // The node may accept a changed message and keep the connection open. The message after the loop always ends it.
      peer.say(bytes);
    }
    peer.say(bytesOf('01'));
    await peer.raw.ended();
  };
  for (let at = 0; at < 100; at++) await round();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 200; at++) await round();
  const grown = process.memoryUsage().heapUsed - before;
  t.ok(grown < 100 * 1024 * 1024, `${Math.round(grown / 1024)} KB more after 200 connections`);
  await until('the end of all connections', () => node.node.peers.active === 0);
  await node.produce(1);
  t.equal(node.headNumber, 13);
});
