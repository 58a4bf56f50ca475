import { P2pDisconnectCode as DisconnectCode } from '../../codec/generated/messages.js';
import { BanList } from './ban-list.js';
import type { Channel } from './channel.js';

interface ChannelLimits {
  /** Maximum number of connections, including outgoing connections. Configured by `node.maxConnections`. */
  readonly maxConnections: number;
  /** Maximum number of connections with the same address. Configured by `node.maxConnectionsWithSameIp`. */
  readonly maxConnectionsWithSameIp: number;
}

/** Established connections by address and port, and the banned addresses. Reference: ChannelManager. */
export class ChannelTable {
  readonly bans: BanList;
  private readonly channels = new Map<string, Channel>();
  private readonly limits: ChannelLimits;
  private readonly ownId: string;

  constructor(limits: ChannelLimits, { ownId, now }: { ownId: string; now: () => number }) {
    this.limits = limits;
    this.ownId = ownId;
    this.bans = new BanList(now);
  }

  get size(): number {
    return this.channels.size;
  }

  all(): readonly Channel[] {
    return [...this.channels.values()];
  }

  countOf(host: string): number {
    return this.all().filter((channel) => channel.host === host).length;
  }

  /**
   * Adds a connection. Reference: ChannelManager.processPeer.
   * @returns 0, or the code for the reason why it is rejected
   */
  admit(channel: Channel): number {
    if (!channel.isActive && !channel.isTrusted) {
      if (this.bans.isBanned(channel.host)) return DisconnectCode.TIME_BANNED;
      if (this.channels.size >= this.limits.maxConnections) return DisconnectCode.TOO_MANY_PEERS;
      if (this.countOf(channel.host) >= this.limits.maxConnectionsWithSameIp)
        return DisconnectCode.MAX_CONNECTION_WITH_SAME_IP;
    }
    if (channel.nodeId) {
      for (const other of this.all()) {
        if (other.nodeId !== channel.nodeId) continue;
        if (other.startMs <= channel.startMs) return DisconnectCode.DUPLICATE_PEER;
        other.close();
      }
    }
    this.channels.set(channel.key, channel);
    return DisconnectCode.NORMAL;
  }

  /**
   * Closes a connection from this node to itself. If two connections have the same node id, closes the newer one.
   * Reference: ChannelManager.updateNodeId.
   */
  updateNodeId(channel: Channel, nodeId: string): void {
    channel.nodeId = nodeId;
    if (nodeId === this.ownId) {
      closeDuplicate(channel);
      return;
    }
    const [first, second] = this.all().filter((other) => other.nodeId === nodeId);
    if (first === undefined || second === undefined) return;
    closeDuplicate(first.startMs > second.startMs ? first : second);
  }

  /** Removes a connection. @returns true if it was in the table */
  remove(channel: Channel): boolean {
    if (this.channels.get(channel.key) !== channel) return false;
    return this.channels.delete(channel.key);
  }
}

function closeDuplicate(channel: Channel): void {
  channel.sayGoodbye('DUPLICATE_PEER');
  channel.close();
}
