import type { Test } from 'tap';
import type { PeerNode } from './peer-node.js';
import { TronPeer } from './tron-peer.js';

/** One case: the messages that a peer sends after connecting, and the reason with which the node must disconnect. */
export type Misbehaviour = readonly [
  what: string,
  reason: string,
  say: (peer: TronPeer, node: PeerNode) => Uint8Array[],
];

/** Runs each case on its own connection and checks the reason of the disconnect. */
export async function endsFor(t: Test, node: PeerNode, cases: readonly Misbehaviour[]): Promise<void> {
  for (const [what, reason, say] of cases) {
    const peer = await TronPeer.dial(node);
    peer.say(...say(peer, node));
    t.equal(await peer.end(), reason, what);
  }
}
