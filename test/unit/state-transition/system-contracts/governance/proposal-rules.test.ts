import t from 'tap';
import {
  requireProposal,
  requireWitnessOwner,
} from '../../../../../src/state-transition/system-contracts/governance/proposal-rules.js';
import { committeeWithProposal, VOTER, WITNESS } from '../../../../support/vm/committee.js';
import { addressOf, bytesOf } from '../../../../support/vm/state-with.js';

t.test('accepts a witness whether elected or not', async (t) => {
  const state = committeeWithProposal();
  t.doesNotThrow(() => requireWitnessOwner(state, bytesOf(WITNESS)));
  t.throws(() => requireWitnessOwner(state, bytesOf(VOTER)), new RegExp(`Witness.${addressOf(VOTER)}. not exists`));
});

// Reference: ProposalApproveActuator. It first compares the id with the counter and then reads the row.
t.test('treats a proposal above the counter as missing, even with a row', async (t) => {
  const state = committeeWithProposal();
  t.equal(requireProposal(state, 1n).proposalId, 1n);
  t.throws(() => requireProposal(state, 0n), /Proposal\[0\] not exists/);
  state.properties.set('LATEST_PROPOSAL_NUM', 0n);
  t.throws(() => requireProposal(state, 1n), /Proposal\[1\] not exists/);
});
