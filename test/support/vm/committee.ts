import { Proposal, Witness } from '../../../src/codec/generated/messages.js';
import { proposalKey } from '../../../src/state-transition/governance/process-proposals.js';
import { release472 } from '../../../src/state-transition/releases/release-4.7.2.js';
import type { State } from '../../../src/state-transition/state/state.js';
import { addAccount, addressOf, bytesOf, stateWith } from './state-with.js';

export const [WITNESS, OTHER_WITNESS, VOTER] = [1, 2, 3];
export const NOW = 1_000_000_000n;

/** Returns a state with two witnesses and one account that is not a witness. Both witnesses have accounts. */
export function committee(release = release472): State {
  const state = stateWith({ latest_block_header_timestamp: NOW, NEXT_MAINTENANCE_TIME: NOW + 5000n }, release);
  for (const fill of [WITNESS, OTHER_WITNESS]) {
    addAccount(state, fill);
    state.witnesses.put(addressOf(fill), Object.assign(new Witness(), { address: bytesOf(fill) }));
  }
  addAccount(state, VOTER);
  return state;
}

/** Returns the state of {@link committee} with proposal 1. The first witness has created it, and it expires in 1 ms. */
export function committeeWithProposal(fields: Partial<Proposal> = {}): State {
  const state = committee();
  const proposal = { proposalId: 1n, proposerAddress: bytesOf(WITNESS), expirationTime: NOW + 1n, ...fields };
  state.proposals.put(proposalKey(1n), Object.assign(new Proposal(), proposal));
  state.properties.set('LATEST_PROPOSAL_NUM', 1n);
  return state;
}
