import { fromHex } from '../../log/domain/bytes.js';
/** Reference: KademliaOptions.BINS, BUCKET_SIZE. */
const BUCKETS = 17;
const BUCKET_NODES_MAX = 16;
/** Nodes that answered, by their distance from this one; one of each address. Reference: NodeTable. */
export class NodeTable {
    entries = new Map();
    ownId;
    ownHost;
    now;
    constructor({ ownId, ownHost, now }) {
        this.ownId = ownId;
        this.ownHost = ownHost;
        this.now = now;
    }
    nodes() {
        return [...this.entries.values()].map(({ node }) => node);
    }
    /** @returns the node that would have to leave, when its bucket is full: the one seen last, not first */
    add(node, host) {
        if (host === this.ownHost())
            return undefined;
        const known = this.entries.get(host);
        if (known !== undefined) {
            known.seenMs = this.now();
            return undefined;
        }
        const bucket = Math.max(0, distance(this.ownId, node.id ?? '') - 1);
        const others = [...this.entries.values()].filter((entry) => entry.bucket === bucket);
        if (others.length >= BUCKET_NODES_MAX)
            return others.reduce((a, b) => (b.seenMs > a.seenMs ? b : a)).node;
        this.entries.set(host, { node, bucket, seenMs: this.now() });
        return undefined;
    }
    drop(host) {
        this.entries.delete(host);
    }
    /** Nearest first. */
    closest(target) {
        const far = new Map(this.nodes().map((node) => [node, distance(target, node.id ?? '')]));
        return [...far.keys()].sort((a, b) => far.get(a) - far.get(b)).slice(0, BUCKET_NODES_MAX);
    }
}
/** By the first bits in which two ids differ; falls below 0 for more than 17 equal ones. Reference: NodeEntry.distance. */
export function distance(a, b) {
    const [left, right] = [fromHex(a), fromHex(b)];
    let result = BUCKETS;
    for (let at = 0; at < Math.min(left.length, right.length); at++) {
        const byte = left[at] ^ right[at];
        if (byte !== 0)
            return result - (Math.clz32(byte) - 24);
        result -= 8;
    }
    return result;
}
//# sourceMappingURL=node-table.js.map