import type { Channel } from '../transport/channel.js';
import type { Peer } from './peer.js';

/** Connected nodes, those with the shortest answer times first. Reference: PeerManager. */
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

  /** Those that are not being closed. */
  active(): readonly Peer[] {
    return this.sorted.filter(({ isClosed }) => !isClosed);
  }

  /** Those that announcements are exchanged with. */
  inSync(): readonly Peer[] {
    return this.active().filter(({ isInSync }) => isInSync);
  }
}
