import { type ProposalDeleteContract, ProposalState } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { equalBytes } from '../../../primitives/bytes.js';
import { refuse } from '../../errors.js';
import { proposalKey } from '../../governance/process-proposals.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireOwner } from '../staking/staking-rules.js';
import { requireProposal } from './proposal-rules.js';

/** Cancels a proposal of the owner. Reference: ProposalDeleteActuator. */
export const proposalDelete: ContractHandler<ProposalDeleteContract> = {
  fee: () => 0n,
  validate,
  execute: ({ proposalId }, state) => {
    state.proposals.existingToWrite(proposalKey(proposalId)).state = ProposalState.CANCELED;
  },
};

function validate({ ownerAddress, proposalId }: ProposalDeleteContract, state: State): void {
  requireOwner(state, ownerAddress);
  const proposal = requireProposal(state, proposalId);
  if (!equalBytes(proposal.proposerAddress, ownerAddress)) {
    refuse(`Proposal[${proposalId}] is not proposed by ${toAddress(ownerAddress)}`);
  }
  if (state.properties.get('latest_block_header_timestamp') >= proposal.expirationTime) {
    refuse(`Proposal[${proposalId}] expired`);
  }
  if (proposal.state === ProposalState.CANCELED) refuse(`Proposal[${proposalId}] canceled`);
}
