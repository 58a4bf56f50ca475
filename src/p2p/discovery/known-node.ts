import type { HostPort, NodeAddress } from '../transport/node-address.js';

/** How far a node has come. Reference: NodeHandler.State. */
export type NodeState = 'discovered' | 'dead' | 'alive' | 'active' | 'evict-candidate';

/** What is known of a node that was heard of. */
export interface KnownNode {
  /** Hex; undefined for a seed that has not answered yet. */
  id: string | undefined;
  ipv4: string | undefined;
  ipv6: string | undefined;
  /** Where its datagrams come from, and what it announces. */
  readonly port: number;
  readonly announcedPort: number;
  networkId: number | undefined;
  updatedMs: number;
  state: NodeState | undefined;
  /** Pings without answer that may still follow; never refilled, as in the reference. */
  trials: number;
  pongTimer: NodeJS.Timeout | undefined;
  waitsForNeighbours: boolean;
  /** Questions for neighbours in a row that were not answered. */
  unanswered: number;
  /** Who takes its place in the table if it does not answer. */
  challenger: KnownNode | undefined;
  /** A seed, or named by another node, and nothing came from its address yet: it is pinged without having asked. */
  isUnheard: boolean;
  /** It answered a ping: its datagrams come from where they say. */
  isProven: boolean;
  /** Bytes that came from its address less those that went there: what may be answered before it is proven. */
  credit: number;
  /** Its last question for neighbours, which is answered once it is proven. */
  question: { readonly target: string; readonly timeMs: number } | undefined;
  /** A ping that was longer than the credit is still to be sent. */
  owesPing: boolean;
}

/** Retries in the life of a node. Reference: NodeHandler.pingTrials. */
const TRIALS = 3;

export function createKnownNode(
  seen: Omit<NodeAddress, 'id'> & { readonly id: string | undefined },
  announcedPort: number,
  nowMs: number,
  isUnheard: boolean,
): KnownNode {
  return {
    ...seen,
    announcedPort,
    networkId: undefined,
    updatedMs: nowMs,
    state: undefined,
    trials: TRIALS,
    pongTimer: undefined,
    waitsForNeighbours: false,
    unanswered: 0,
    challenger: undefined,
    isUnheard,
    isProven: false,
    credit: 0,
    question: undefined,
    owesPing: false,
  };
}

/**
 * Its port is the one that it announces, and it is of this network: it can be dialled.
 * Reference: Node.isConnectible.
 */
export function isConnectable({ port, announcedPort, networkId }: KnownNode, ownNetworkId: number): boolean {
  return port === announcedPort && networkId === ownNetworkId;
}

/**
 * Which of its addresses is used: of a family that this node has too, IPv4 first.
 * Reference: Node.getPreferInetSocketAddress.
 */
export function preferredAddress(
  node: Pick<KnownNode, 'ipv4' | 'ipv6' | 'port'>,
  self: NodeAddress,
): HostPort | undefined {
  if (node.ipv4 !== undefined && self.ipv4 !== undefined) return { host: node.ipv4, port: node.port };
  return node.ipv6 !== undefined && self.ipv6 !== undefined ? { host: node.ipv6, port: node.port } : undefined;
}

/** Not for a node without an id. */
export function addressOfNode({ id, ipv4, ipv6, port }: KnownNode): NodeAddress {
  return { id: id ?? '', ipv4, ipv6, port };
}

/**
 * Called before a node is asked for its neighbours. @param most questions in a row without answer, undefined: any
 * number
 * @returns whether it has left too many unanswered. Reference: NodeHandler.sendFindNode
 */
export function isSilent(node: KnownNode, most: number | undefined): boolean {
  return node.waitsForNeighbours && most !== undefined && ++node.unanswered >= most;
}
