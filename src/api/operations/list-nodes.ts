import { Address, Node, NodeList } from '../../codec/generated/messages.js';
import { utf8 } from '../../primitives/bytes.js';
import type { PeerLink } from '../context/api-context.js';

/**
 * Returns the reachable nodes that discovery has found. The host of a node is UTF-8 text in a field of type `bytes`.
 * Reference: Wallet.listNodes.
 */
export function listNodes({ nodes = [] }: PeerLink): NodeList {
  const listed = nodes.map(({ host, port }) => {
    const address = Object.assign(new Address(), { host: utf8(host), port });
    return Object.assign(new Node(), { address });
  });
  return Object.assign(new NodeList(), { nodes: listed });
}
