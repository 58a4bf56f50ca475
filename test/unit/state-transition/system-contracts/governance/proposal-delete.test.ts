import t from 'tap';
import { ProposalState } from '../../../../../src/codec/generated/messages.js';
import { proposalKey } from '../../../../../src/state-transition/governance/process-proposals.js';
import { proposalDelete } from '../../../../../src/state-transition/system-contracts/governance/proposal-delete.js';
import { committeeWithProposal, NOW, OTHER_WITNESS, WITNESS } from '../../../../support/vm/committee.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addressOf, bytesOf, run } from '../../../../support/vm/state-with.js';

const accepted = { ownerAddress: bytesOf(WITNESS), proposalId: 1n };

t.test('lets only the proposer cancel an open proposal, once', async (t) => {
  refusalsOf(t, proposalDelete, {
    fresh: () => committeeWithProposal(),
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(0) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'Proposal[2] not exists', fields: { proposalId: 2n } },
      {
        text: `Proposal[1] is not proposed by ${addressOf(OTHER_WITNESS)}`,
        fields: { ownerAddress: bytesOf(OTHER_WITNESS) },
      },
      {
        text: 'Proposal[1] expired',
        given: ({ properties }) => properties.set('latest_block_header_timestamp', NOW + 1n),
      },
      { text: 'Proposal[1] canceled', given: (state) => void run(proposalDelete, state, accepted) },
    ],
  });
  const state = committeeWithProposal();
  run(proposalDelete, state, accepted);
  t.equal(state.proposals.get(proposalKey(1n))?.state, ProposalState.CANCELED);
});
