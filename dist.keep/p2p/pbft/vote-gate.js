import { PBFTMessage, PBFTMessageRaw } from '../../log/codec/generated/messages.js';
import { sha256 } from '../../log/domain/hash.js';
import { BoundedCache } from '../bounded-cache.js';
import { P2pError } from '../p2p-error.js';
import { encodeMessage } from '../wire/messages.js';
/** Votes that are remembered, and for how long. Reference: PbftMsgHandler.msgCache. */
const VOTES_MAX = 10_000;
const VOTES_LIFE_MS = 600_000;
/**
 * Votes of witnesses on irreversible blocks: a valid one is passed on once, to all others, whether or not the chain uses them.
 * This node does not vote. Reference: PbftMsgHandler.
 */
export class VoteGate {
    options;
    seen;
    constructor(options) {
        this.options = options;
        this.seen = new BoundedCache({ entriesMax: VOTES_MAX, lifeMs: VOTES_LIFE_MS, now: options.now });
    }
    /** @throws {P2pError | ProtobufError | ChainError} a vote that is none, or of nobody who may vote */
    take(from, body) {
        const { chain, peers } = this.options;
        const { rawData: raw = new PBFTMessageRaw(), signature } = PBFTMessage.decode(body);
        const active = peers.active();
        // While this node syncs it cannot know who may vote.
        if (active.length === 0 || active.some(({ needsSyncFromPeer }) => needsSyncFromPeer))
            return;
        const signer = chain.signerOf(sha256(PBFTMessageRaw.encode(raw)), signature);
        const key = [raw.viewN, raw.dataType, signer, raw.msgType].join('_');
        if (this.seen.has(key))
            return;
        if (!chain.votersOf(raw.epoch).includes(signer))
            throw new P2pError('BAD_MESSAGE', `${signer} does not vote`);
        this.seen.set(key, true);
        const message = encodeMessage('PBFT_MSG', body);
        for (const peer of active)
            if (peer !== from)
                peer.send(message);
    }
}
//# sourceMappingURL=vote-gate.js.map