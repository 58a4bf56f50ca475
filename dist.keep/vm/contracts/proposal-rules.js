import { toAddress } from '../../log/domain/address.js';
import { refuse } from '../errors.js';
import { proposalKey } from '../proposals/process-proposals.js';
import { requireOwner } from './staking-rules.js';
/** @throws {ContractValidateError} unless the owner is a witness, elected or not */
export function requireWitnessOwner(state, ownerAddress) {
    requireOwner(state, ownerAddress);
    const owner = toAddress(ownerAddress);
    if (!state.witnesses.has(owner))
        refuse(`Witness[${owner}] not exists`);
}
/** @throws {ContractValidateError} */
export function requireProposal(state, id) {
    const isKnown = id <= state.properties.get('LATEST_PROPOSAL_NUM');
    return (isKnown ? state.proposals.get(proposalKey(id)) : undefined) ?? refuse(`Proposal[${id}] not exists`);
}
//# sourceMappingURL=proposal-rules.js.map