import type { Proposal } from '../../../codec/generated/messages.js';
import { toAddress } from '../../../primitives/address.js';
import { refuse } from '../../errors.js';
import { proposalKey } from '../../governance/process-proposals.js';
import type { State } from '../../state/state.js';
import { requireOwner } from '../staking/staking-rules.js';

/**
 * Rejects an owner that has not registered as a witness. Accepts inactive witnesses.
 * @throws {ContractValidateError} the owner is not a witness
 */
export function requireWitnessOwner(state: State, ownerAddress: Uint8Array): void {
  requireOwner(state, ownerAddress);
  const owner = toAddress(ownerAddress);
  if (!state.witnesses.has(owner)) refuse(`Witness[${owner}] not exists`);
}

/** Returns a proposal. @throws {ContractValidateError} the proposal does not exist */
export function requireProposal(state: State, id: bigint): Proposal {
  const isKnown = id <= state.properties.get('LATEST_PROPOSAL_NUM');
  return (isKnown ? state.proposals.get(proposalKey(id)) : undefined) ?? refuse(`Proposal[${id}] not exists`);
}
