import { itemAt } from '../../primitives/assert.js';
import { fromHex } from '../../primitives/bytes.js';
import type { KnownNode } from './known-node.js';

/** Number of buckets. Reference: KademliaOptions.BINS. */
const BUCKETS = 17;
/** Maximum number of nodes in a bucket. Reference: KademliaOptions.BUCKET_SIZE. */
const BUCKET_NODES_MAX = 16;
/** Minimum number of nodes in a bucket for the removal of an unresponsive node. Reference: NodeTable.failFindNode. */
const BUCKET_NODES_ENOUGH = BUCKET_NODES_MAX / 4;

interface Entry {
  readonly node: KnownNode;
  readonly bucket: number;
  seenMs: number;
}

/** Kademlia table of nodes that answered, at most one node per IP address. Reference: NodeTable. */
export class NodeTable {
  private readonly entries = new Map<string, Entry>();
  private readonly ownId: string;
  private readonly ownHost: () => string | undefined;
  private readonly now: () => number;

  constructor({ ownId, ownHost, now }: { ownId: string; ownHost: () => string | undefined; now: () => number }) {
    this.ownId = ownId;
    this.ownHost = ownHost;
    this.now = now;
  }

  nodes(): readonly KnownNode[] {
    return [...this.entries.values()].map(({ node }) => node);
  }

  /**
   * Adds a node, or updates the time of a known node. Ignores this node's own address.
   * @returns undefined if the node was added, known or ignored; if the bucket is full, the node that the new node may
   * replace: as in java-tron, the most recently seen node of the bucket
   */
  add(node: KnownNode, host: string): KnownNode | undefined {
    if (host === this.ownHost()) return undefined;
    const known = this.entries.get(host);
    if (known !== undefined) {
      known.seenMs = this.now();
      return undefined;
    }
    const bucket = Math.max(0, distance(this.ownId, node.id ?? '') - 1);
    const others = [...this.entries.values()].filter((entry) => entry.bucket === bucket);
    if (others.length >= BUCKET_NODES_MAX) return others.reduce((a, b) => (b.seenMs > a.seenMs ? b : a)).node;
    this.entries.set(host, { node, bucket, seenMs: this.now() });
    return undefined;
  }

  drop(host: string): void {
    this.entries.delete(host);
  }

  /** Removes an unresponsive node if its bucket contains enough nodes. @returns true if it was removed */
  dropSilent(host: string): boolean {
    const silent = this.entries.get(host);
    if (silent === undefined) return false;
    const others = [...this.entries.values()].filter(({ bucket }) => bucket === silent.bucket);
    return others.length >= BUCKET_NODES_ENOUGH && this.entries.delete(host);
  }

  /** Returns up to 16 nodes whose ids are nearest to the id `target`, nearest first. */
  closest(target: string): readonly KnownNode[] {
    const all = this.nodes().map((node) => ({ node, far: distance(target, node.id ?? '') }));
    const nearest = all.sort((a, b) => a.far - b.far).slice(0, BUCKET_NODES_MAX);
    return nearest.map(({ node }) => node);
  }
}

/**
 * Returns the distance of two ids: 17 minus the number of equal leading bits. It is negative for more than 17 equal
 * bits. Reference: NodeEntry.distance.
 */
export function distance(a: string, b: string): number {
  const [left, right] = [fromHex(a), fromHex(b)];
  let result = BUCKETS;
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const byte = itemAt(left, at) ^ itemAt(right, at);
    if (byte !== 0) return result - (Math.clz32(byte) - 24);
    result -= 8;
  }
  return result;
}
