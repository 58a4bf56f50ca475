import { type Proposal, ProposalState } from '../../codec/generated/messages.js';
import { toAddress } from '../../primitives/address.js';
import { fromInt64, toHex } from '../../primitives/bytes.js';
import { activeWitnesses } from '../consensus/schedule.js';
import type { State } from '../state/state.js';
import { applyParameter } from './parameter-effects.js';

/** Returns the key of a proposal's row: its number as 8 bytes. Reference: ProposalCapsule.calculateDbKey. */
export function proposalKey(id: bigint): string {
  return toHex(fromInt64(id));
}

/**
 * Decides expired proposals at maintenance, newest first. Stops at the first proposal that an earlier maintenance has
 * decided. Reference: ProposalController.processProposals.
 */
export function processProposals(state: State): void {
  const now = state.properties.get('NEXT_MAINTENANCE_TIME');
  for (let id = state.properties.get('LATEST_PROPOSAL_NUM'); id > 0n; id--) {
    const proposal = state.proposals.get(proposalKey(id));
    if (proposal === undefined || proposal.state === ProposalState.CANCELED) continue;
    if (proposal.state === ProposalState.APPROVED || proposal.state === ProposalState.DISAPPROVED) return;
    if (proposal.expirationTime <= now) decide(state, id);
  }
}

function decide(state: State, id: bigint): void {
  const proposal = state.proposals.existingToWrite(proposalKey(id));
  const isApproved = hasMostApprovals(state, proposal);
  if (isApproved) applyParameters(state, proposal);
  proposal.state = isApproved ? ProposalState.APPROVED : ProposalState.DISAPPROVED;
}

/**
 * Returns true if at least 7/10 of the active witnesses, rounded down, approve: 18 of 27. Reference:
 * ProposalCapsule.hasMostApprovals.
 */
export function hasMostApprovals(state: State, { approvals }: Proposal): boolean {
  const witnesses = activeWitnesses(state);
  const active = new Set(witnesses);
  const count = approvals.filter((approval) => active.has(toAddress(approval))).length;
  return count >= Math.trunc((witnesses.length * 7) / 10);
}

function applyParameters(state: State, { parameters, expirationTime }: Proposal): void {
  for (const [id, value] of parameters) {
    const parameter = state.rules.release.parameters.get(id);
    if (parameter !== undefined) applyParameter(state, parameter, value, expirationTime);
  }
}
