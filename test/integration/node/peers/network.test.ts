import t, { type Test } from 'tap';
import { exposition } from '../../../../src/api/metrics/exposition.js';
import type { Transaction } from '../../../../src/codec/generated/messages.js';
import { fromHex } from '../../../../src/primitives/bytes.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { transfer } from '../../../support/peers/transfer.js';
import { until } from '../../../support/until.js';

/** Submits a transaction as an API client does. */
function submit(peer: PeerNode, transaction: Transaction): string {
  const submitted = peer.node.submit(transaction);
  const { idHex } = submitted;
  peer.node.peers.broadcast(submitted);
  return idHex;
}

/** Returns a function that returns the value of a metric by name. */
async function countsOf({ node }: PeerNode): Promise<(name: string) => number> {
  const lines = exposition([await node.peers.counts.set.snapshot()]).split('\n');
  return (name) => Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length));
}

const isInSync = (...nodes: PeerNode[]): boolean =>
  nodes.every(({ node }) => node.peers.active > 0 && node.peers.active === node.peers.inSync);

t.test('relays blocks and transactions through the middle of three nodes', async (t: Test) => {
  const first = await PeerNode.start(t);
  await first.produce(450);
  const middle = await PeerNode.start(t, { dials: [first.port] });
  await until('all blocks at the middle node', () => middle.head === first.head);
  // The last node starts when the middle node has all blocks, so it receives them by a sync.
  const last = await PeerNode.start(t, { dials: [middle.port] });
  await until('all blocks at the last node', () => last.head === first.head);
  await until('sync of all nodes', () => isInSync(first, middle, last));
  t.equal(last.headNumber, 450);
  await first.produce(1);
  await until('an announced block at the last node', () => last.head === first.head);
  const id = submit(last, transfer(last, 1_000_000n));
  await until('the pending transaction at the first node', () => first.node.chain.mempool.pending.size === 1);
  const [block] = await first.produce(1);
  t.same(
    block?.transactions.map(({ idHex }) => idHex),
    [id],
  );
  await until(
    'the block of the transaction at all nodes',
    () => last.head === first.head && middle.head === first.head,
  );
  t.equal(last.node.chain.mempool.pending.size, 0, 'a transaction in a block is not pending');
  const counted = await countsOf(last);
  const synced = counted('tron:block_process_latency_seconds_count{sync="true"}');
  const announced = counted('tron:block_process_latency_seconds_count{sync="false"}');
  t.equal(synced + announced, 452, 'each block was executed once');
  t.ok(synced > 0 && announced > 0, `${synced} blocks from the sync, ${announced} announced blocks`);
  // The number may be higher, because a block may arrive more than once.
  t.ok(counted('tron:block_fetch_latency_seconds_count') >= announced);
  t.ok(counted('tron:block_receive_delay_seconds_count') >= announced);
  last.node.peers.counts.second();
  t.ok((await countsOf(last))('tron:tcp_bytes_sum{type="in"}') > 50_000, 'at least the bytes of the blocks');
  // Tests the other direction: the last node produces a block.
  await last.produce(2);
  await until('blocks of the last node at the first node', () => first.head === last.head);
});

t.test('syncs a node that is 2,300 blocks behind', async (t: Test) => {
  const ahead = await PeerNode.open(t);
  await ahead.produce(2300);
  await ahead.join();
  const behind = await PeerNode.start(t, { dials: [ahead.port] });
  await until('all blocks', () => behind.head === ahead.head);
  await until('both nodes have the block', () => isInSync(ahead, behind));
  t.equal(behind.headNumber, 2300);
  t.equal(behind.node.chain.state.properties.number('LATEST_SOLIDIFIED_BLOCK_NUM'), ahead.node.chain.solidifiedNumber);
});

t.test('follows the longer branch and returns reverted transactions to the mempool', async (t: Test) => {
  const short = await PeerNode.open(t);
  const long = await PeerNode.open(t);
  for (const block of await short.produce(20)) long.node.chain.importBlock(block);
  await long.node.chain.ledger.flush();
  const payment = transfer(short, 5_000_000n);
  const { idHex } = short.node.submit(payment);
  await short.produce(2);
  t.ok(short.node.chain.ledger.transactionAt(fromHex(idHex)), 'the transaction is in a block of the short branch');
  await long.produce(3, 1);
  await short.join();
  const joined = await PeerNode.open(t, { dials: [short.port] });
  for (let number = 1; number <= 23; number++) joined.node.chain.importBlock(long.node.chain.storedBlock(number));
  await joined.node.chain.ledger.flush();
  await joined.join();
  await until('the reorg to the longer branch', () => short.head === long.head);
  t.equal(short.node.chain.ledger.transactionAt(fromHex(idHex)), undefined);
  t.equal(short.node.chain.mempool.pending.size, 1, 'the transaction is pending again');
  await short.produce(1);
  await until(
    'the transaction at the other node',
    () => joined.node.chain.ledger.transactionAt(fromHex(idHex)) !== undefined,
  );
});

t.test('catches up after a disconnection, also if it has produced blocks of its own', async (t: Test) => {
  const one = await PeerNode.start(t);
  const other = await PeerNode.start(t, { dials: [one.port] });
  await one.produce(30);
  await until('block 30 at both nodes', () => other.headNumber === 30);
  await other.network.close();
  await one.produce(40);
  await other.produce(1, 2);
  t.not(other.head, one.head);
  await other.join();
  await until('the reorg to the longer branch', () => other.head === one.head);
  t.equal(other.headNumber, 70);
});

t.test('ends a sync exactly at the target of node.shutdown', async (t: Test) => {
  const ahead = await PeerNode.start(t);
  await ahead.produce(60);
  const stopping = await PeerNode.start(t, { dials: [ahead.port], more: 'node.shutdown.BlockHeight = 33' });
  await until('the stop at the configured height', () => stopping.node.mustStop.aborted);
  t.equal(stopping.headNumber, 33);
  t.equal(stopping.node.failure, undefined);
});
