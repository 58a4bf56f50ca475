import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { WireMessageType } from '../../../../src/p2p/wire/message-types.js';
import { decodeItems, encodeItems } from '../../../../src/p2p/wire/messages.js';
import { PeerNode } from '../../../support/peers/peer-node.js';
import { TronPeer } from '../../../support/peers/tron-peer.js';

const RELEASE = 'tronicle.release = "4.8.2"';
const CHECK = `${RELEASE}\nnode.unsolidifiedBlockCheck = true\nnode.maxUnsolidifiedBlocks = 2`;
const TRANSACTION = '0a'.repeat(32);
/**
 * Maximum waiting time in ms. The node requests announced items every 30 ms, so the test waits for the full time only
 * if the node does not request the transaction.
 */
const TIMEOUT_MS = 500;
const BLOCK = `${'00'.repeat(7)}09${'0b'.repeat(24)}`;

/** Returns true if the node requests an announced transaction. It always requests announced blocks. */
async function requests(t: Test, blocks: number, more: string): Promise<boolean> {
  const node = await PeerNode.start(t, { more });
  await node.produce(blocks);
  const peer = await TronPeer.inSync(node);
  const nextKind = async () => decodeItems(await peer.next(WireMessageType.FETCH_INV_DATA)).kind;
  peer.say(
    encodeItems('INVENTORY', { kind: 'transaction', ids: [TRANSACTION] }),
    encodeItems('INVENTORY', { kind: 'block', ids: [BLOCK] }),
  );
  // The node requests the block first. It requests the other announced items in a round 30 ms later.
  if ((await nextKind()) === 'transaction') return true;
  const second = await Promise.race([nextKind().catch(() => undefined), delay(TIMEOUT_MS)]);
  return second === 'transaction';
}

t.test('requests no announced transactions while too many blocks are unsolidified', async (t) => {
  t.equal(await requests(t, 1, CHECK), true, 'one unsolidified block');
  t.equal(await requests(t, 2, CHECK), false, 'two unsolidified blocks');
  t.equal(await requests(t, 2, RELEASE), true, 'the limit is disabled');
});
