import type { Channel } from '../transport/channel.js';
import type { Peer } from './peer.js';

/** Connected peers, sorted by latency. Reference: PeerManager. */
export class PeerSet {
  private readonly peers = new Map<Channel, Peer>();
  private sorted: readonly Peer[] = [];

  add(peer: Peer): void {
    this.peers.set(peer.channel, peer);
    this.sorted = [...this.sorted, peer];
  }

  of(channel: Channel): Peer | undefined {
    return this.peers.get(channel);
  }

  remove(channel: Channel): Peer | undefined {
    const peer = this.peers.get(channel);
    this.peers.delete(channel);
    this.sorted = this.sorted.filter((other) => other !== peer);
    return peer;
  }

  sort(): void {
    this.sorted = [...this.sorted].sort((a, b) => a.channel.latencyMs - b.channel.latencyMs);
  }

  /** Returns the peers whose connection is not being closed. */
  active(): readonly Peer[] {
    return this.sorted.filter(({ isClosed }) => !isClosed);
  }

  /** Returns the peers that exchange announcements with this node, because neither side has to sync. */
  inSync(): readonly Peer[] {
    return this.active().filter(({ isInSync }) => isInSync);
  }
}
