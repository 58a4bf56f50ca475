import type { PeerDetails } from '../../api/context/api-context.js';
import type { PeerNetwork } from '../../p2p/peer-network.js';
import type { Peer } from '../../p2p/peers/peer.js';
import type { NodeAddress } from '../../p2p/transport/node-address.js';
import type { BlockId } from '../../p2p/wire/block-id.js';

interface DetailsOptions {
  readonly network: PeerNetwork;
  readonly self: NodeAddress;
  /** Number of nodes in the routing table of discovery. */
  readonly tableNodes: number;
}

/**
 * Returns the details of each connected peer, with JSON members in the order of release 4.8.2. As in java-tron, `id`
 * and `port` are those of this node, and `host` starts with a slash. Reference: NodeInfoService.setConnectInfo.
 */
export function peerDetails({ network, self, tableNodes }: DetailsOptions): PeerDetails[] {
  return network.peers.active().map((peer) => {
    const { channel } = peer;
    const ends = network.disconnects.of(channel.host);
    return {
      lastSyncBlock: peer.lastSyncId === undefined ? '' : nameOf(peer.lastSyncId),
      remainNum: BigInt(peer.remaining),
      lastBlockUpdateTime: BigInt(peer.commonBlockMs),
      syncFlag: peer.isClosed,
      headBlockTimeWeBothHave: 0n,
      needSyncFromPeer: peer.needsSyncFromPeer,
      needSyncFromUs: peer.needsSyncFromUs,
      host: `/${channel.host}`,
      port: BigInt(self.port),
      nodeId: self.id,
      connectTime: BigInt(channel.startMs),
      avgLatency: channel.latencyMs,
      syncToFetchSize: BigInt(peer.toFetch.length),
      syncToFetchSizePeekNum: BigInt(firstToFetch(peer)),
      syncBlockRequestedSize: BigInt(peer.syncRequests.size),
      unFetchSynNum: BigInt(peer.remaining),
      blockInPorcSize: BigInt(peer.inProcess.size),
      headBlockWeBothHave: nameOf(peer.commonBlock),
      score: 0n,
      nodeCount: BigInt(tableNodes),
      inFlow: 0n,
      disconnectTimes: BigInt(ends.times),
      localDisconnectReason: ends.local ?? '',
      remoteDisconnectReason: ends.remote ?? '',
      active: channel.isActive,
    };
  });
}

function firstToFetch({ toFetch }: Peer): number {
  return toFetch[0]?.number ?? -1;
}

/** Formats a block id as java-tron does. Reference: BlockId.getString. */
function nameOf({ hex, number }: BlockId): string {
  return `Num:${number},ID:${hex}`;
}
