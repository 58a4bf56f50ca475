import { type Vote, Votes } from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../domain/address.js';
import type { State } from '../state/state.js';

/** Record of an account's votes in this period, made with the votes so far when there is none. */
export function votesToWrite(state: State, address: Address, votesSoFar: readonly Vote[]): Votes {
  if (!state.votes.has(address)) {
    const oldVotes = votesSoFar.map((vote) => vote.clone());
    state.votes.put(address, Object.assign(new Votes(), { address: addressBytes(address), oldVotes }));
  }
  return state.votes.toWrite(address)!;
}
