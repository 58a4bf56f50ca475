/** Connected nodes, those with the shortest answer times first. Reference: PeerManager. */
export class PeerSet {
    peers = new Map();
    sorted = [];
    add(peer) {
        this.peers.set(peer.channel, peer);
        this.sorted = [...this.sorted, peer];
    }
    of(channel) {
        return this.peers.get(channel);
    }
    remove(channel) {
        const peer = this.peers.get(channel);
        this.peers.delete(channel);
        this.sorted = this.sorted.filter((other) => other !== peer);
        return peer;
    }
    sort() {
        this.sorted = [...this.sorted].sort((a, b) => a.channel.latencyMs - b.channel.latencyMs);
    }
    /** Those that are not being closed. */
    active() {
        return this.sorted.filter(({ isClosed }) => !isClosed);
    }
    /** Those that announcements are exchanged with. */
    inSync() {
        return this.active().filter(({ isInSync }) => isInSync);
    }
}
//# sourceMappingURL=peer-set.js.map