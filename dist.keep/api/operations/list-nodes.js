import { Address, Node, NodeList } from '../../log/codec/generated/messages.js';
import { utf8 } from '../../log/domain/bytes.js';
/** Nodes that were found reachable; hosts are texts. Reference: Wallet.listNodes. */
export function listNodes({ nodes = [] }) {
    const listed = nodes.map(({ host, port }) => {
        const address = Object.assign(new Address(), { host: utf8(host), port });
        return Object.assign(new Node(), { address });
    });
    return Object.assign(new NodeList(), { nodes: listed });
}
//# sourceMappingURL=list-nodes.js.map