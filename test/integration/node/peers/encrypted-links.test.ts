import t from 'tap';
import { freePort } from '../../../support/free-port.js';
import { hostId } from '../../../support/node/host-id.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { until } from '../../../support/until.js';

for (const webSocket of ['', '/ws']) {
  t.test(`follows a node over an encrypted link, tcp${webSocket}`, async (t) => {
    const port = await freePort();
    const first = await PeerNode.start(t, {
      more: `tronicle.libp2p.listen = ["/ip4/127.0.0.1/tcp/${port}${webSocket}"]`,
    });
    await first.produce(150);
    const id = await hostId(first.node.dataDir);
    const second = await PeerNode.start(t, {
      more: `tronicle.libp2p.peers = ["/ip4/127.0.0.1/tcp/${port}${webSocket}/p2p/${id}"]`,
    });
    await until('all blocks', () => second.head === first.head);
    t.equal(second.headNumber, 150);
    await until('sync in both directions', () => [first, second].every(({ node }) => node.peers.inSync === 1));
    await second.produce(1);
    await until('a block in the other direction', () => first.head === second.head);
    t.match(
      second.network.peers.active().map(({ channel: { isActive, host } }) => ({ isActive, host })),
      [{ isActive: true, host: '127.0.0.1' }],
    );
    await first.node.close();
    await until('the end of the connection', () => second.node.peers.active === 0);
  });
}
