import { present } from '../../primitives/assert.js';
import { type HostPort, hostPortKey } from '../transport/node-address.js';
import type { KnownNode } from './known-node.js';

/**
 * Limits of the number of known nodes. Above NODES_TRIM, nodes that cannot be dialled are deleted. If more than
 * NODES_TRIM remain, nodes are deleted until NODES_KEPT remain.
 */
const NODES_TRIM = 3000;
const NODES_KEPT = 2000;
/**
 * Maximum number of nodes with the same address. Without this limit, one host could fill the list by using many ports.
 */
const NODES_PER_HOST_MAX = 32;

/**
 * Nodes found by discovery, by address and port. If there are too many nodes, unverified nodes are deleted first,
 * because the sender address of a datagram can be forged.
 */
export class KnownNodes {
  private readonly nodes = new Map<string, KnownNode>();
  private readonly byHost = new Map<string, Map<string, KnownNode>>();
  /** For each node: the host under which `byHost` lists it. */
  private readonly hosts = new Map<string, string>();

  get(address: HostPort): KnownNode | undefined {
    return this.nodes.get(hostPortKey(address));
  }

  values(): Iterable<KnownNode> {
    return this.nodes.values();
  }

  /**
   * Adds a node. Deletes other nodes if there are too many.
   * @param isConnectable returns true if a node can be dialled
   */
  add(address: HostPort, node: KnownNode, isConnectable: (node: KnownNode) => boolean): void {
    this.trim(isConnectable);
    const same = this.byHost.get(address.host) ?? new Map<string, KnownNode>();
    const [oldest] = same.size < NODES_PER_HOST_MAX ? [] : oldestFirst(same);
    if (oldest !== undefined) this.delete(oldest[0]);
    const key = hostPortKey(address);
    this.nodes.set(key, node);
    this.hosts.set(key, address.host);
    this.byHost.set(address.host, same.set(key, node));
  }

  private trim(isConnectable: (node: KnownNode) => boolean): void {
    if (this.nodes.size <= NODES_TRIM) return;
    for (const [key, node] of this.nodes) if (!isConnectable(node)) this.delete(key);
    if (this.nodes.size <= NODES_TRIM) return;
    for (const [key] of oldestFirst(this.nodes).slice(0, this.nodes.size - NODES_KEPT)) this.delete(key);
  }

  private delete(key: string): void {
    const node = present(this.nodes.get(key), 'only stored nodes are deleted');
    clearTimeout(node.pongTimer);
    const host = present(this.hosts.get(key), 'every node has a host');
    const same = present(this.byHost.get(host), 'every host has a node');
    this.nodes.delete(key);
    this.hosts.delete(key);
    same.delete(key);
    if (same.size === 0) this.byHost.delete(host);
  }
}

/** Returns the nodes in the order of their deletion: unverified nodes first, then by age. */
function oldestFirst(nodes: ReadonlyMap<string, KnownNode>): readonly (readonly [key: string, node: KnownNode])[] {
  return [...nodes].sort(([, a], [, b]) => Number(a.isProven) - Number(b.isProven) || a.updatedMs - b.updatedMs);
}
