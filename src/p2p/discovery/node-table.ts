import { itemAt } from '../../primitives/assert.js';
import { fromHex } from '../../primitives/bytes.js';
import type { KnownNode } from './known-node.js';

/** Reference: KademliaOptions.BINS, BUCKET_SIZE. */
const BUCKETS = 17;
const BUCKET_NODES_MAX = 16;
/** Nodes of a bucket from which on one that does not answer may leave it. Reference: NodeTable.failFindNode. */
const BUCKET_NODES_ENOUGH = BUCKET_NODES_MAX / 4;

interface Entry {
  readonly node: KnownNode;
  readonly bucket: number;
  seenMs: number;
}

/** Nodes that answered, by their distance from this one; one of each address. Reference: NodeTable. */
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

  /** @returns the node that would have to leave, when its bucket is full: the one seen last, not first */
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

  /** Lets a node go that gives no neighbours, where there are others. @returns whether it is gone */
  dropSilent(host: string): boolean {
    const silent = this.entries.get(host);
    if (silent === undefined) return false;
    const others = [...this.entries.values()].filter(({ bucket }) => bucket === silent.bucket);
    return others.length >= BUCKET_NODES_ENOUGH && this.entries.delete(host);
  }

  /** Nearest first. */
  closest(target: string): readonly KnownNode[] {
    const all = this.nodes().map((node) => ({ node, far: distance(target, node.id ?? '') }));
    const nearest = all.sort((a, b) => a.far - b.far).slice(0, BUCKET_NODES_MAX);
    return nearest.map(({ node }) => node);
  }
}

/**
 * By the first bits in which two ids differ; falls below 0 for more than 17 equal ones.
 * Reference: NodeEntry.distance.
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
