import { Transaction } from '../../log/codec/generated/messages.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
/** The peers of a node as its APIs see them; without a network there are none. */
export class NodePeers {
    counts;
    joined;
    constructor(counts) {
        this.counts = counts;
    }
    get active() {
        return this.joined?.network.peers.active().length ?? 0;
    }
    get inSync() {
        return this.joined?.network.peers.inSync().length ?? 0;
    }
    get dialled() {
        return this.joined?.network.peers.active().filter(({ channel }) => channel.isActive).length ?? 0;
    }
    get details() {
        return this.joined?.details() ?? [];
    }
    get nodes() {
        return this.joined?.nodes() ?? [];
    }
    broadcast(transaction) {
        return this.joined?.network.submitTransaction(transaction, decodeTransaction(transaction).id) ?? 0;
    }
}
/** ms between two looks for news; who asks may see what was so long ago. Details are looked at less often. */
const NEWS_MS = 250;
const DETAILS_EACH = 8;
/** Tells another thread of the peers, and takes what it broadcasts, until the port closes. */
export function answerPeers(port, peers) {
    let told = '';
    let looks = 0;
    const tell = () => {
        if (peers.joined === undefined && told === '')
            return;
        const { active, inSync, dialled } = peers;
        const counts = `${active} ${inSync} ${dialled}`;
        const isDetailed = looks++ % DETAILS_EACH === 0 || counts !== told;
        if (!isDetailed)
            return;
        told = counts;
        port.postMessage({ active, inSync, dialled, details: peers.details, nodes: peers.nodes });
    };
    const timer = setInterval(tell, NEWS_MS).unref();
    port.on('message', ({ broadcast }) => peers.broadcast(Transaction.decode(broadcast)));
    port.on('close', () => clearInterval(timer));
    port.unref();
}
/** The same in another thread. */
export class RemotePeers {
    port;
    told = { active: 0, inSync: 0, dialled: 0, details: [], nodes: [] };
    constructor(port) {
        this.port = port;
        port.on('message', (told) => {
            this.told = told;
        });
        port.unref();
    }
    get active() {
        return this.told.active;
    }
    get inSync() {
        return this.told.inSync;
    }
    get dialled() {
        return this.told.dialled;
    }
    get details() {
        return this.told.details;
    }
    get nodes() {
        return this.told.nodes;
    }
    /** All that are in sync are told, if they do not know it already; that is not waited for. */
    broadcast(transaction) {
        this.port.postMessage({ broadcast: Transaction.encode(transaction) });
        return this.inSync;
    }
    close() {
        this.port.close();
    }
}
//# sourceMappingURL=node-peers.js.map