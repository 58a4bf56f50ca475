import t from 'tap';
import { ProposalState } from '../../../../../src/codec/generated/messages.js';
import { proposalKey } from '../../../../../src/state-transition/governance/process-proposals.js';
import { proposalApprove } from '../../../../../src/state-transition/system-contracts/governance/proposal-approve.js';
import { committeeWithProposal, NOW, OTHER_WITNESS, VOTER, WITNESS } from '../../../../support/vm/committee.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(OTHER_WITNESS), proposalId: 1n, isAddApproval: true };
const witness = `Witness[${addressOf(OTHER_WITNESS)}]`;

t.test('rejects an approval with the text of the first broken rule', async (t) => {
  refusalsOf(t, proposalApprove, {
    fresh: () => committeeWithProposal(),
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: `Witness[${addressOf(VOTER)}] not exists`, fields: { ownerAddress: bytesOf(VOTER) } },
      { text: 'Proposal[2] not exists', fields: { proposalId: 2n } },
      {
        text: 'Proposal[1] expired',
        given: ({ properties }) => properties.set('latest_block_header_timestamp', NOW + 1n),
      },
      { text: `${witness}has not approved proposal[1] before`, fields: { isAddApproval: false } },
      {
        text: `${witness}has approved proposal[1] before`,
        given: (state) => void run(proposalApprove, state, accepted),
      },
    ],
  });
  const canceled = committeeWithProposal({ state: ProposalState.CANCELED });
  t.throws(() => run(proposalApprove, canceled, accepted), /Proposal\[1\] canceled/);
});

t.test('stores approvals in order and removes a single approval', async (t) => {
  const state = committeeWithProposal();
  const approve = (fill: number, isAddApproval: boolean) =>
    run(proposalApprove, state, { ownerAddress: bytesOf(fill), proposalId: 1n, isAddApproval });
  approve(OTHER_WITNESS, true);
  approve(WITNESS, true);
  t.same(state.proposals.get(proposalKey(1n))?.approvals, [bytesOf(OTHER_WITNESS), bytesOf(WITNESS)]);
  approve(OTHER_WITNESS, false);
  t.same(state.proposals.get(proposalKey(1n))?.approvals, [bytesOf(WITNESS)]);
});
