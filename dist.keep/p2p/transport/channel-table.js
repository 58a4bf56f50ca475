import { P2pDisconnectCode as DisconnectCode } from '../../log/codec/generated/messages.js';
import { BanList } from './ban-list.js';
/** Connections whose handshake was accepted, by address and port, and who may not connect. Reference: ChannelManager. */
export class ChannelTable {
    bans;
    channels = new Map();
    limits;
    ownId;
    constructor(limits, { ownId, now }) {
        this.limits = limits;
        this.ownId = ownId;
        this.bans = new BanList(now);
    }
    get size() {
        return this.channels.size;
    }
    all() {
        return [...this.channels.values()];
    }
    countOf(host) {
        return this.all().filter((channel) => channel.host === host).length;
    }
    /** Takes a connection in, or answers why not. Reference: ChannelManager.processPeer. */
    admit(channel) {
        if (!channel.isActive && !channel.isTrusted) {
            if (this.bans.isBanned(channel.host))
                return DisconnectCode.TIME_BANNED;
            if (this.channels.size >= this.limits.maxConnections)
                return DisconnectCode.TOO_MANY_PEERS;
            if (this.countOf(channel.host) >= this.limits.maxConnectionsWithSameIp)
                return DisconnectCode.MAX_CONNECTION_WITH_SAME_IP;
        }
        if (channel.nodeId) {
            for (const other of this.all()) {
                if (other.nodeId !== channel.nodeId)
                    continue;
                if (other.startMs <= channel.startMs)
                    return DisconnectCode.DUPLICATE_PEER;
                other.close();
            }
        }
        this.channels.set(channel.key, channel);
        return DisconnectCode.NORMAL;
    }
    /** Closes a connection to this node itself, and the younger of two with one id. Reference: ChannelManager.updateNodeId. */
    updateNodeId(channel, nodeId) {
        channel.nodeId = nodeId;
        if (nodeId === this.ownId) {
            channel.close();
            return;
        }
        const [first, second] = this.all().filter((other) => other.nodeId === nodeId);
        if (first === undefined || second === undefined)
            return;
        if (first.startMs > second.startMs)
            first.close();
        else
            second.close();
    }
    /** @returns whether it was the one that is connected */
    remove(channel) {
        if (this.channels.get(channel.key) !== channel)
            return false;
        return this.channels.delete(channel.key);
    }
}
//# sourceMappingURL=channel-table.js.map