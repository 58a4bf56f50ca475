import type { PeerDetails } from '../../api/api-context.js';
import type { PeerNetwork } from '../../p2p/peer-network.js';
import type { Peer } from '../../p2p/peers/peer.js';
import type { NodeAddress } from '../../p2p/transport/node-address.js';
import type { BlockId } from '../../p2p/wire/block-id.js';

interface DetailsOptions {
  readonly network: PeerNetwork;
  readonly self: NodeAddress;
  /** Nodes in the table of discovery. */
  readonly tableNodes: number;
}

/**
 * Each connected peer, members in alphabetical order. Id and port are this node's own, and `host` has a slash in front, as the
 * reference shows them. Reference: NodeInfoService.setConnectInfo.
 */
export function peerDetails({ network, self, tableNodes }: DetailsOptions): PeerDetails[] {
  return network.peers.active().map((peer) => {
    const { channel } = peer;
    const ends = network.disconnects.of(channel.host);
    return {
      active: channel.isActive,
      avgLatency: channel.latencyMs,
      blockInPorcSize: BigInt(peer.inProcess.size),
      connectTime: BigInt(channel.startMs),
      disconnectTimes: BigInt(ends.times),
      headBlockTimeWeBothHave: 0n,
      headBlockWeBothHave: nameOf(peer.commonBlock),
      host: `/${channel.host}`,
      inFlow: 0n,
      lastBlockUpdateTime: BigInt(peer.commonBlockMs),
      lastSyncBlock: peer.lastSyncId === undefined ? '' : nameOf(peer.lastSyncId),
      localDisconnectReason: ends.local ?? '',
      needSyncFromPeer: peer.needsSyncFromPeer,
      needSyncFromUs: peer.needsSyncFromUs,
      nodeCount: BigInt(tableNodes),
      nodeId: self.id,
      port: BigInt(self.port),
      remainNum: BigInt(peer.remaining),
      remoteDisconnectReason: ends.remote ?? '',
      score: 0n,
      syncBlockRequestedSize: BigInt(peer.syncRequests.size),
      syncFlag: peer.isClosed,
      syncToFetchSize: BigInt(peer.toFetch.length),
      syncToFetchSizePeekNum: BigInt(firstWanted(peer)),
      unFetchSynNum: BigInt(peer.remaining),
    };
  });
}

function firstWanted({ toFetch }: Peer): number {
  return toFetch[0]?.number ?? -1;
}

/** Reference: BlockId.getString. */
function nameOf({ hex, number }: BlockId): string {
  return `Num:${number},ID:${hex}`;
}
