import { headOf } from '../../p2p/peers/hello.js';
import type { Peer } from '../../p2p/peers/peer.js';

/**
 * Returns the greatest height that a peer has announced: in its HELLO, as the end of its chain during a sync, or with a
 * new block. The value is not verified, so a peer can announce any height.
 */
export function announcedHeight({
  hello,
  commonBlock,
  toFetch,
  remaining,
  needsSyncFromPeer,
}: Pick<Peer, 'hello' | 'commonBlock' | 'toFetch' | 'remaining' | 'needsSyncFromPeer'>): number {
  const listed = toFetch.at(-1)?.number ?? commonBlock.number;
  // If the peer syncs from this node, `remaining` counts blocks of this node's chain, and not of the peer's chain.
  const end = needsSyncFromPeer ? listed + remaining : listed;
  return Math.max(hello === undefined ? 0 : headOf(hello).number, commonBlock.number, end);
}
