import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { listNodes } from '../../../../src/api/operations/list-nodes.js';
import { answerPeers, RemotePeers } from '../../../../src/node/peers/node-peers.js';
import { readStoredNodes, writeStoredNodes } from '../../../../src/node/peers/stored-nodes.js';
import { toHex, toUtf8 } from '../../../../src/primitives/bytes.js';
import { silentLog } from '../../../support/p2p/silent-log.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { transfer } from '../../../support/peers/transfer.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

t.test('shows the peers to another thread, and broadcasts its transactions', async (t: Test) => {
  const discovers = 'node.discovery.enable = true';
  const waits = 'node.minConnections = 0\nnode.minActiveConnections = 0';
  const first = await PeerNode.start(t, { more: `${discovers}\n${waits}` });
  await first.produce(5);
  const seed = `seed.node.ip.list = ["127.0.0.1:${first.port}"]`;
  const second = await PeerNode.start(t, { dials: [first.port], more: `${discovers}\n${seed}` });
  const { port1, port2 } = new MessageChannel();
  answerPeers(port1, second.node.peers);
  const remote = new RemotePeers(port2);
  t.teardown(() => remote.close());
  await until('the peer is in sync', () => remote.inSync === 1);
  t.same([remote.active, remote.dialled], [1, 1]);
  await until(
    'the common block is sent to the other thread',
    () => remote.details[0]?.['headBlockWeBothHave'] === `Num:5,ID:${first.head}`,
  );
  const [details] = remote.details;
  t.same([details?.['active'], details?.['host'], details?.['port']], [true, '/127.0.0.1', BigInt(second.port)]);
  t.same(
    Object.keys(details ?? {}).slice(0, 3),
    ['lastSyncBlock', 'remainNum', 'lastBlockUpdateTime'],
    'the fields of release 4.8.2',
  );
  await until('the discovered node', () => remote.nodes.length === 1);
  const [listed] = listNodes(remote).nodes;
  t.same([toUtf8(listed!.address!.host), listed!.address!.port], ['127.0.0.1', first.port]);
  const payment = second.node.submit(transfer(second, 7n));
  t.equal(remote.broadcast(payment), 1);
  await until('the pending transaction at the peer', () => first.node.chain.mempool.pending.size === 1);
});

t.test('reports a witness with two blocks of one height', async (t: Test) => {
  const first = await PeerNode.start(t);
  await first.produce(5);
  const second = await PeerNode.start(t, { dials: [first.port] });
  const { port1, port2 } = new MessageChannel();
  answerPeers(port1, second.node.peers);
  const remote = new RemotePeers(port2);
  t.teardown(() => remote.close());
  await until('the peer is in sync', () => remote.inSync === 1 && second.head === first.head);
  const block = first.make();
  first.node.submit(transfer(first, 7n));
  first.node.chain.mempool.reinject();
  const other = first.make();
  t.not(other.idHex, block.idHex);
  first.network.announceBlock(block);
  await until('the import of the first block', () => second.headNumber === 6);
  t.same(second.node.peers.doubleProducers, {});
  first.network.announceBlock(other);
  await until('the report of the second block', () => Object.keys(remote.doubleProducers).length === 1);
  t.match(remote.doubleProducers, {
    [toHex(block.raw.witnessAddress)]: /^\{times=1, time=\d+, latestBlockNum=6, blockCapsuleSet=/,
  });
  t.same(second.node.peers.doubleProducers, remote.doubleProducers);
});

t.test('stores nodes in the format of java-tron and tolerates any file content', async (t) => {
  const folder = temporaryFolder(t);
  t.same(readStoredNodes(folder, silentLog), [], 'no file exists');
  const nodes = Array.from({ length: 40 }, (_, at) => ({ host: `10.0.0.${at}`, port: 18_888 }));
  writeStoredNodes(folder, nodes);
  t.same(readStoredNodes(folder, silentLog), nodes.slice(0, 30));
  const text = readFileSync(join(folder, 'peers.json'), 'utf8');
  t.ok(text.startsWith('{"nodes":[{"host":"10.0.0.0","port":18888},'), text.slice(0, 60));
});
