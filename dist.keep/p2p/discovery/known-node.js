/** Retries in the life of a node. Reference: NodeHandler.pingTrials. */
const TRIALS = 3;
export function createKnownNode(seen, announcedPort, nowMs) {
    return {
        ...seen,
        announcedPort,
        networkId: undefined,
        updatedMs: nowMs,
        state: undefined,
        trials: TRIALS,
        pongTimer: undefined,
        waitsForNeighbours: false,
        challenger: undefined,
    };
}
/** Its port is the one that it announces, and it is of this network: it can be dialled. Reference: Node.isConnectible. */
export function isConnectable({ port, announcedPort, networkId }, ownNetworkId) {
    return port === announcedPort && networkId === ownNetworkId;
}
/** Which of its addresses is used: of a family that this node has too, IPv4 first. Reference: Node.getPreferInetSocketAddress. */
export function preferredAddress(node, self) {
    if (node.ipv4 !== undefined && self.ipv4 !== undefined)
        return { host: node.ipv4, port: node.port };
    return node.ipv6 !== undefined && self.ipv6 !== undefined ? { host: node.ipv6, port: node.port } : undefined;
}
/** Not for a node without an id. */
export function addressOfNode({ id, ipv4, ipv6, port }) {
    return { id: id ?? '', ipv4, ipv6, port };
}
//# sourceMappingURL=known-node.js.map