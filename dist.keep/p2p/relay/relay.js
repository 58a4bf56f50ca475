import { fromInt64, toHex } from '../../log/domain/bytes.js';
import { sha256 } from '../../log/domain/hash.js';
import { ChainError } from '../../vm/errors.js';
import { itemKey } from '../peers/peer.js';
import { encodeMessage } from '../wire/messages.js';
/** ms until a producing node first turns to its relay nodes, and between two times. Reference: RelayService.init. */
const FIRST_MS = 30_000;
const PERIOD_MS = 100_000;
/** Producing witnesses and the nodes that relay blocks between them. Reference: RelayService. */
export class Relay {
    options;
    timers = [];
    isDialling = false;
    constructor(options) {
        this.options = options;
    }
    /** Nodes that are dialled beside the configured ones. */
    get dialled() {
        return this.isDialling ? this.options.nodes : [];
    }
    start() {
        const { identity, nodes } = this.options;
        if (identity === undefined || nodes.length === 0)
            return;
        const turn = () => this.turn();
        const first = setTimeout(() => {
            turn();
            this.timers.push(setInterval(turn, PERIOD_MS));
        }, FIRST_MS);
        this.timers.push(first);
    }
    close() {
        for (const timer of this.timers.splice(0))
            clearTimeout(timer);
    }
    /** Says to a relay node which witness this is. */
    fill(hello, host) {
        const { identity } = this.options;
        if (identity === undefined || !this.isRelayNode(host) || !this.isActive(identity.address))
            return;
        hello.address = identity.address;
        hello.signature = identity.sign(signedPart(hello));
    }
    /** Whether a peer may stay: a relay wants the signature of an active witness, other nodes nothing. */
    accepts(hello, host) {
        const { isRelay, chain, trust } = this.options;
        if (!isRelay)
            return true;
        const { address, signature } = hello;
        if (address.length === 0 || !this.isActive(address))
            return false;
        try {
            if (!chain.isSignedByWitness(toHex(address), signedPart(hello), signature))
                return false;
        }
        catch (error) {
            if (error instanceof ChainError)
                return false;
            throw error;
        }
        trust(host);
        return true;
    }
    /** Sends a block to the witnesses whose turn is next, if they do not know it. */
    broadcast(block) {
        const next = this.witnessesAfter(block.witness);
        const key = itemKey({ kind: 'block', id: block.idHex });
        const message = encodeMessage('BLOCK', block.bytes);
        for (const peer of this.options.peers.inSync()) {
            const address = peer.hello?.address ?? new Uint8Array(0);
            if (address.length === 0 || !next.has(toHex(address)) || peer.received.has(key) || peer.spread.has(key))
                continue;
            peer.send(message);
            peer.spread.set(key, true);
        }
    }
    turn() {
        const { identity, peers, chain } = this.options;
        this.isDialling = identity !== undefined && chain.activeWitnesses().includes(toHex(identity.address));
        if (this.isDialling)
            return;
        for (const { channel } of peers.active())
            if (this.isRelayNode(channel.host))
                channel.close();
    }
    isRelayNode(host) {
        return this.options.nodes.some((node) => node.host === host);
    }
    isActive(address) {
        return this.options.chain.activeWitnesses().includes(toHex(address));
    }
    witnessesAfter(witness) {
        const { chain, nextWitnesses } = this.options;
        const all = chain.activeWitnesses();
        const at = all.indexOf(witness);
        if (at < 0)
            return new Set(all);
        return new Set(Array.from({ length: nextWitnesses }, (_, step) => all[(at + 1 + step) % all.length]));
    }
}
/** What the signature of a HELLO stands for. */
function signedPart({ timestamp }) {
    return sha256(fromInt64(timestamp));
}
//# sourceMappingURL=relay.js.map