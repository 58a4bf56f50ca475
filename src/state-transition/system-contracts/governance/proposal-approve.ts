import { type ProposalApproveContract, ProposalState } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { refuse } from '../../errors.js';
import { proposalKey } from '../../governance/process-proposals.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireProposal, requireWitnessOwner } from './proposal-rules.js';

/** Adds or removes a witness's approval of a proposal. Reference: ProposalApproveActuator. */
export const proposalApprove: ContractHandler<ProposalApproveContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, proposalId, isAddApproval }: ProposalApproveContract, state: State): void {
  requireWitnessOwner(state, ownerAddress);
  const proposal = requireProposal(state, proposalId);
  if (state.properties.get('latest_block_header_timestamp') >= proposal.expirationTime) {
    refuse(`Proposal[${proposalId}] expired`);
  }
  if (proposal.state === ProposalState.CANCELED) refuse(`Proposal[${proposalId}] canceled`);
  const hasApproved = proposal.approvals.some((approval) => equalBytes(approval, ownerAddress));
  if (hasApproved !== isAddApproval) return;
  const witness = `Witness[${toAddress(ownerAddress)}]`;
  refuse(`${witness}${hasApproved ? 'has approved' : 'has not approved'} proposal[${proposalId}] before`);
}

function execute({ ownerAddress, proposalId, isAddApproval }: ProposalApproveContract, state: State): void {
  const { approvals } = state.proposals.existingToWrite(proposalKey(proposalId));
  if (isAddApproval) approvals.push(ownerAddress);
  else
    approvals.splice(
      approvals.findIndex((approval) => equalBytes(approval, ownerAddress)),
      1,
    );
}
