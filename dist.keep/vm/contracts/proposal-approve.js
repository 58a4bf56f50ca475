import { ProposalApproveContract, ProposalState } from '../../log/codec/generated/messages.js';
import { toAddress } from '../../log/domain/address.js';
import { equalBytes } from '../../log/domain/bytes.js';
import { refuse } from '../errors.js';
import { proposalKey } from '../proposals/process-proposals.js';
import { requireProposal, requireWitnessOwner } from './proposal-rules.js';
/** Adds a witness's approval of a proposal, or takes it back. Reference: ProposalApproveActuator. */
export const proposalApprove = {
    type: 17,
    message: ProposalApproveContract,
    owner: ({ ownerAddress }) => ownerAddress,
    fee: () => 0n,
    validate,
    execute,
};
function validate({ ownerAddress, proposalId, isAddApproval }, state) {
    requireWitnessOwner(state, ownerAddress);
    const proposal = requireProposal(state, proposalId);
    if (state.properties.get('latest_block_header_timestamp') >= proposal.expirationTime) {
        refuse(`Proposal[${proposalId}] expired`);
    }
    if (proposal.state === ProposalState.CANCELED)
        refuse(`Proposal[${proposalId}] canceled`);
    const hasApproved = proposal.approvals.some((approval) => equalBytes(approval, ownerAddress));
    if (hasApproved !== isAddApproval)
        return;
    const witness = `Witness[${toAddress(ownerAddress)}]`;
    refuse(`${witness}${hasApproved ? 'has approved' : 'has not approved'} proposal[${proposalId}] before`);
}
function execute({ ownerAddress, proposalId, isAddApproval }, state) {
    const { approvals } = state.proposals.toWrite(proposalKey(proposalId));
    if (isAddApproval)
        approvals.push(ownerAddress);
    else
        approvals.splice(approvals.findIndex((approval) => equalBytes(approval, ownerAddress)), 1);
}
//# sourceMappingURL=proposal-approve.js.map