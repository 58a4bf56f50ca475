import { Proposal, type ProposalCreateContract } from '../../../codec/generated/messages.js';
import { refuse } from '../../errors.js';
import { proposalKey } from '../../governance/process-proposals.js';
import { validateParameter } from '../../governance/validate-parameter.js';
import { PROPOSAL_EXPIRE_BOUNDS } from '../../parameters/parameter-table.js';
import type { Properties } from '../../state/properties.js';
import type { State } from '../../state/state.js';
import type { ContractHandler } from '../contract-handler.js';
import { requireWitnessOwner } from './proposal-rules.js';

/** Proposes new values of chain parameters. Reference: ProposalCreateActuator. */
export const proposalCreate: ContractHandler<ProposalCreateContract> = {
  fee: () => 0n,
  validate,
  execute,
};

function validate({ ownerAddress, parameters }: ProposalCreateContract, state: State): void {
  requireWitnessOwner(state, ownerAddress);
  if (parameters.size === 0) refuse('This proposal has no parameter.');
  for (const [id, value] of parameters) validateParameter(state, id, value);
}

function execute({ ownerAddress, parameters }: ProposalCreateContract, state: State): void {
  const { properties } = state;
  const id = properties.get('LATEST_PROPOSAL_NUM') + 1n;
  const now = properties.get('latest_block_header_timestamp');
  const proposal = new Proposal();
  proposal.proposalId = id;
  proposal.proposerAddress = ownerAddress;
  proposal.parameters = new Map(parameters);
  proposal.createTime = now;
  proposal.expirationTime = expirationTime(state, now);
  state.proposals.put(proposalKey(id), proposal);
  properties.set('LATEST_PROPOSAL_NUM', id);
}

/** Returns the expiration time of a new proposal, in ms: the first maintenance time after the end of its lifetime. */
function expirationTime({ properties }: State, now: bigint): bigint {
  const maintenance = properties.get('NEXT_MAINTENANCE_TIME');
  const interval = properties.get('MAINTENANCE_TIME_INTERVAL');
  const periods = (now + proposalLifeMs(properties) - maintenance) / interval;
  return maintenance + (periods + 1n) * interval;
}

/**
 * Returns the lifetime of a proposal in ms. Returns the default if the stored value is out of bounds. Reference:
 * getProposalExpireTime.
 */
export function proposalLifeMs(properties: Properties): bigint {
  const stored = properties.get('PROPOSAL_EXPIRE_TIME');
  const { above, below } = PROPOSAL_EXPIRE_BOUNDS;
  return stored > above && stored < below ? stored : properties.whenAbsent('PROPOSAL_EXPIRE_TIME');
}
