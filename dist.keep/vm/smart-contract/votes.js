import { Votes } from '../../log/codec/generated/messages.js';
import { addressBytes } from '../../log/domain/address.js';
/** Record of an account's votes in this period, made with the votes so far when there is none. */
export function votesToWrite(state, address, votesSoFar) {
    if (!state.votes.has(address)) {
        const oldVotes = votesSoFar.map((vote) => vote.clone());
        state.votes.put(address, Object.assign(new Votes(), { address: addressBytes(address), oldVotes }));
    }
    return state.votes.toWrite(address);
}
//# sourceMappingURL=votes.js.map