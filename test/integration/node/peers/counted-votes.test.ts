import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createApiContext } from '../../../../src/node/serving/api-context.js';
import { VotedHeight } from '../../../../src/node/voted-height.js';
import { keys, PeerNode } from '../../../support/peers/peer-node.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const QUORUM = 4;

/**
 * Returns the configuration of a node. The first node produces all blocks. Each node votes with its share of the five
 * witness keys.
 */
function settings(own: readonly string[]): string {
  return `
committee.allowPBFT = 1
node.agreeNodeCount = ${QUORUM}
localwitness = [${own.map((key) => `"${key}"`)}]
`;
}

t.test('advances the voted height while enough witnesses vote, and keeps it otherwise', async (t: Test) => {
  const all = Object.values(keys);
  const flags = { witness: true };
  const first = await PeerNode.start(t, { more: settings(all.slice(0, 2)), flags });
  const voters = first.node.chain.state.properties.isOn('ALLOW_PBFT');
  t.equal(voters, true);
  const second = await PeerNode.start(t, { more: settings(all.slice(2, 4)), flags, dials: [first.port] });
  const third = await PeerNode.start(t, { more: settings(all.slice(4, 5)), flags, dials: [first.port] });
  const listener = await PeerNode.start(t, { more: settings([]), dials: [first.port] });
  const nodes = [first, second, third, listener];
  await until(
    'sync of all nodes',
    () => first.node.peers.inSync === 3 && nodes.every(({ node }) => node.peers.inSync > 0),
  );
  for (let at = 1; at <= 3; at++) {
    await first.produce(1);
    await until(`block ${at} is agreed on`, () => nodes.every(({ node }) => node.voted.number === at));
  }
  const { chain, config } = listener.node;
  t.ok(chain.solidifiedNumber < 3, 'the block is voted on before it is solidified');
  await until('the voted height in the data folder', () => VotedHeight.read(listener.node.dataDir).number === 3);
  const source = { ledger: chain.ledger, rules: chain.state.rules, head: () => chain.state };
  const api = createApiContext({
    source: source as never,
    config,
    now: Date.now,
    votedHeight: () => listener.node.voted.number,
  });
  t.equal(api.view('pbft').headNumber, 3, 'the PBFT view is at the voted height');
  t.equal(api.view('pbft').state.properties.number('latest_block_header_number'), 3);
  t.equal(api.view('solidified').headNumber, chain.solidifiedNumber);

  await second.network.close();
  await until('the end of one connection', () => first.node.peers.inSync === 2);
  await first.produce(1);
  await until('the block at the other nodes', () => third.headNumber === 4 && listener.headNumber === 4);
  t.same(
    [first, third, listener].map(({ node }) => node.voted.number),
    [3, 3, 3],
    'three of five votes are too few',
  );

  const again = await PeerNode.start(t, { more: settings(all.slice(2, 4)), flags, dials: [first.port] });
  await until('the sync with the restarted node', () => again.headNumber === 4 && first.node.peers.inSync === 3);
  await first.produce(1);
  await until('a higher voted height', () =>
    [first, third, listener, again].every(({ node }) => node.voted.number === 5),
  );
});

t.test('counts votes but does not vote as a backup slave', async (t: Test) => {
  const all = Object.values(keys);
  const flags = { witness: true };
  const first = await PeerNode.start(t, { more: settings(all.slice(0, 4)), flags });
  first.node.isMaster = () => false;
  const other = await PeerNode.start(t, { more: settings([]), dials: [first.port] });
  await until('sync of both nodes', () => first.node.peers.inSync === 1 && other.node.peers.inSync === 1);
  await first.produce(1);
  await until('the block at the other node', () => other.headNumber === 1);
  t.equal(first.node.voted.number, 0);
  first.node.isMaster = () => true;
  await first.produce(1);
  await until('the master votes', () => other.node.voted.number === 2);
});

t.test('restores the voted height after a restart, and ignores a malformed file', async (t: Test) => {
  const folder = temporaryFolder(t);
  const height = VotedHeight.read(folder);
  t.equal(height.number, 0);
  await height.write(folder);
  t.notOk(existsSync(join(folder, 'pbft.json')), 'no file without votes');
  height.raise(7);
  height.raise(5);
  await height.write(folder);
  t.equal(VotedHeight.read(folder).number, 7);
  t.equal(new VotedHeight(height.buffer).number, 7, 'threads that share the buffer see the height');
  const kept = height.keep(folder);
  height.raise(8);
  await Promise.all([kept, height.keep(folder)]);
  t.equal(VotedHeight.read(folder).number, 8, 'the file contains the height that was raised during the write');
});
