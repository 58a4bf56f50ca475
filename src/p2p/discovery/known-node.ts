import type { HostPort, NodeAddress } from '../transport/node-address.js';

/** State of a node in discovery. Reference: NodeHandler.State. */
export type NodeState = 'discovered' | 'dead' | 'alive' | 'active' | 'evict-candidate';

/** A node found by discovery. */
export interface KnownNode {
  /** Node id in hex; undefined for a seed that has not answered yet. */
  id: string | undefined;
  ipv4: string | undefined;
  ipv6: string | undefined;
  /** Source port of the node's datagrams. */
  readonly port: number;
  /** Port that the node announces in the content of its datagrams. */
  readonly announcedPort: number;
  networkId: number | undefined;
  updatedMs: number;
  state: NodeState | undefined;
  /** Number of remaining ping retries for the node. As in java-tron, the number is never reset. */
  trials: number;
  pongTimer: NodeJS.Timeout | undefined;
  waitsForNeighbours: boolean;
  /** Number of consecutive findNode requests without an answer. */
  unanswered: number;
  /** Node that replaces this node in the table if this node does not answer the ping of the eviction check. */
  challenger: KnownNode | undefined;
  /**
   * True if the node has not sent anything yet: it is a seed, or another node listed it. `credit` does not limit pings
   * to such a node.
   */
  hasSentNothing: boolean;
  /** True if the node answered a ping, so its source address is not forged. */
  isProven: boolean;
  /**
   * Bytes received from the address minus bytes sent to it. Answers to an unverified node must not exceed this number.
   */
  credit: number;
  /** Last findNode request of an unverified node. It is answered when the node is verified. */
  question: { readonly target: string; readonly timeMs: number } | undefined;
  /** True if a ping to this unverified node is postponed, because the ping is larger than `credit`. */
  owesPing: boolean;
}

/** Maximum number of ping retries for one node. Reference: NodeHandler.pingTrials. */
const TRIALS = 3;

export function createKnownNode(
  address: Omit<NodeAddress, 'id'> & { readonly id: string | undefined },
  announcedPort: number,
  nowMs: number,
  hasSentNothing: boolean,
): KnownNode {
  return {
    ...address,
    announcedPort,
    networkId: undefined,
    updatedMs: nowMs,
    state: undefined,
    trials: TRIALS,
    pongTimer: undefined,
    waitsForNeighbours: false,
    unanswered: 0,
    challenger: undefined,
    hasSentNothing,
    isProven: false,
    credit: 0,
    question: undefined,
    owesPing: false,
  };
}

/**
 * Returns true if the node can be dialled: it sends from the port that it announces, and has the network id of this
 * node.
 * Reference: Node.isConnectible.
 */
export function isConnectable({ port, announcedPort, networkId }: KnownNode, ownNetworkId: number): boolean {
  return port === announcedPort && networkId === ownNetworkId;
}

/**
 * Returns an address of the other node, in an address family that this node also has. Prefers IPv4. Reference:
 * Node.getPreferInetSocketAddress.
 */
export function preferredAddress(
  node: Pick<KnownNode, 'ipv4' | 'ipv6' | 'port'>,
  self: NodeAddress,
): HostPort | undefined {
  if (node.ipv4 !== undefined && self.ipv4 !== undefined) return { host: node.ipv4, port: node.port };
  return node.ipv6 !== undefined && self.ipv6 !== undefined ? { host: node.ipv6, port: node.port } : undefined;
}

/** Returns the address of a node. The id in the result is empty if the node's id is unknown. */
export function addressOfNode({ id, ipv4, ipv6, port }: KnownNode): NodeAddress {
  return { id: id ?? '', ipv4, ipv6, port };
}

/**
 * Called before a findNode request to a node. Counts the previous request as unanswered if no answer has arrived.
 * Reference: NodeHandler.sendFindNode.
 * @param most maximum number of consecutive unanswered requests; undefined for no limit
 * @returns true if the number of unanswered requests has reached `most`
 */
export function isSilent(node: KnownNode, most: number | undefined): boolean {
  return node.waitsForNeighbours && most !== undefined && ++node.unanswered >= most;
}
