import t from 'tap';
import { Proposal, ProposalState, Witness } from '../../../../src/codec/generated/messages.js';
import { electWitnesses } from '../../../../src/state-transition/consensus/schedule.js';
import {
  hasMostApprovals,
  processProposals,
  proposalKey,
} from '../../../../src/state-transition/governance/process-proposals.js';
import { addressOf, bytesOf, stateWith } from '../../../support/vm/state-with.js';

const NOW = 1000n;

/** Returns a chain with ten active witnesses, and with these proposals, which change the fee of a new account. */
function chain(...proposals: Partial<Proposal>[]) {
  const state = stateWith({ NEXT_MAINTENANCE_TIME: NOW, LATEST_PROPOSAL_NUM: BigInt(proposals.length) });
  const fills = Array.from({ length: 10 }, (_, at) => at + 1);
  for (const fill of fills)
    state.witnesses.put(addressOf(fill), Object.assign(new Witness(), { address: bytesOf(fill) }));
  electWitnesses(state, fills.map(addressOf));
  proposals.forEach((fields, at) => {
    const id = BigInt(at + 1);
    const proposal = { proposalId: id, expirationTime: NOW, parameters: new Map([[2n, 100n + id]]), ...fields };
    state.proposals.put(proposalKey(id), Object.assign(new Proposal(), proposal));
  });
  return state;
}

const approvals = (count: number, from = 1) => Array.from({ length: count }, (_, at) => bytesOf(from + at));
const stateOf = (state: ReturnType<typeof chain>, id: bigint) => state.proposals.get(proposalKey(id))?.state;

t.test('accepts a proposal with seven of ten active witnesses', async (t) => {
  const enough = (list: Uint8Array[]) => hasMostApprovals(chain(), Object.assign(new Proposal(), { approvals: list }));
  t.same([enough(approvals(6)), enough(approvals(7))], [false, true]);
  t.notOk(enough(approvals(7, 5)), 'one of them is not an active witness');
});

t.test('processes a proposal after its expiration', async (t) => {
  const state = chain({ approvals: approvals(7) });
  processProposals(state);
  t.same([stateOf(state, 1n), state.properties.get('CREATE_ACCOUNT_FEE')], [ProposalState.APPROVED, 101n]);
  const lost = chain({ approvals: approvals(6) });
  processProposals(lost);
  t.same([stateOf(lost, 1n), lost.properties.get('CREATE_ACCOUNT_FEE')], [ProposalState.DISAPPROVED, 100_000n]);
  const open = chain({ approvals: approvals(7), expirationTime: NOW + 1n });
  processProposals(open);
  t.equal(stateOf(open, 1n), ProposalState.PENDING);
});

// Reference: ProposalController.processProposals. It starts at the newest proposal and ends at one that is already
// processed.
t.test('processes proposals from the newest down to a processed one, and skips cancelled ones', async (t) => {
  const all = { approvals: approvals(7) };
  const state = chain(all, { state: ProposalState.APPROVED }, all, { ...all, state: ProposalState.CANCELED }, all);
  processProposals(state);
  t.same(
    [1n, 3n, 4n, 5n].map((id) => stateOf(state, id)),
    [ProposalState.PENDING, ProposalState.APPROVED, ProposalState.CANCELED, ProposalState.APPROVED],
  );
  t.equal(state.properties.get('CREATE_ACCOUNT_FEE'), 103n, 'the older proposal is applied last');
});
