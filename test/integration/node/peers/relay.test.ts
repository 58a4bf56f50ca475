import t, { type Test } from 'tap';
import { keys, PeerNode } from '../../../support/peers/peer-node.js';
import { TronPeer } from '../../../support/peers/tron-peer.js';
import { until } from '../../../support/until.js';

const [firstKey, secondKey] = Object.values(keys);

/** Returns the options of a node that produces for one witness and dials the relay. */
const witness = (key: string | undefined, relay: PeerNode) => ({
  dials: [relay.port],
  more: `localwitness = ["${key}"]\nnode.fastForward = ["127.0.0.1:${relay.port}"]`,
  flags: { witness: true },
});

t.test('a relay accepts only active witnesses, and sends them blocks without a request', async (t: Test) => {
  const relay = await PeerNode.start(t, { flags: { fastForward: true } });
  const one = await PeerNode.start(t, witness(firstKey, relay));
  const other = await PeerNode.start(t, witness(secondKey, relay));
  await until('both are in sync with the relay', () => relay.node.peers.inSync === 2);
  await one.produce(6);
  await until('the relay has the blocks', () => relay.head === one.head);
  // The relay sends a block only to the witnesses of the next three slots. The next slot of the other witness is at
  // most five blocks away. So the other witness may miss the newest two of the six blocks.
  await until('the blocks at the other witness', () => other.headNumber >= 4);
  const anybody = await TronPeer.dial(relay);
  anybody.say(anybody.hello());
  t.equal(await anybody.end(), 'UNEXPECTED_IDENTITY', 'a peer that is not a witness');
  const liar = await TronPeer.dial(relay);
  const { witnessAddress } = relay.node.chain.storedBlock(1).raw;
  liar.say(liar.hello({ address: witnessAddress, signature: Buffer.alloc(65, 1) }));
  t.equal(await liar.end(), 'UNEXPECTED_IDENTITY', 'a signature of another key');
});
