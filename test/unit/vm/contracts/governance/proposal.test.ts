import t from 'tap';
import { Witness } from '../../../../../src/codec/generated/messages.js';
import { proposalApprove } from '../../../../../src/vm/contracts/governance/proposal-approve.js';
import { proposalCreate } from '../../../../../src/vm/contracts/governance/proposal-create.js';
import { proposalDelete } from '../../../../../src/vm/contracts/governance/proposal-delete.js';
import { proposalKey } from '../../../../../src/vm/proposals/process-proposals.js';
import type { State } from '../../../../../src/vm/state/state.js';
import { addAccount, addressOf, bytesOf, refusal, stateWith } from '../../../../support/vm/state-with.js';

const WITNESS = 1;
const NOW = 1_000_000_000n;

function committee(): State {
  const state = stateWith({ latest_block_header_timestamp: NOW, NEXT_MAINTENANCE_TIME: NOW + 5000n });
  for (const fill of [WITNESS, 2]) {
    addAccount(state, fill);
    state.witnesses.put(addressOf(fill), Object.assign(new Witness(), { address: bytesOf(fill) }));
  }
  addAccount(state, 3);
  return state;
}

const propose = (state: State, ...entries: (readonly [bigint, bigint])[]) =>
  refusal(proposalCreate, state, { ownerAddress: bytesOf(WITNESS), parameters: new Map(entries) })?.text;

const WIDE = 'Bad chain parameter value, valid range is [0,100000000000000000]';
const INTERVAL = 'Bad chain parameter value, valid range is [3 * 27 * 1000,24 * 3600 * 1000]';
const ranges: readonly (readonly [id: bigint, value: bigint, text: string | undefined])[] = [
  [0n, 80_999n, INTERVAL],
  [0n, 81_000n, undefined],
  [0n, 86_400_000n, undefined],
  [0n, 86_400_001n, INTERVAL],
  [1n, -1n, WIDE],
  [1n, 10n ** 17n, undefined],
  [1n, 10n ** 17n + 1n, WIDE],
  [9n, 0n, 'This value[ALLOW_CREATION_OF_CONTRACTS] is only allowed to be 1'],
  [18n, 1n, '[ALLOW_SAME_TOKEN_NAME] proposal must be approved before [ALLOW_TVM_TRANSFER_TRC10] can be proposed'],
  [13n, 101n, 'Bad chain parameter value, valid range is [10,100]'],
  [20n, 1n, 'Bad chain parameter id: ALLOW_MULTI_SIGN'],
  [27n, 1n, 'Does not support code : 27'],
];

t.test('values outside of the range of their parameter are refused', async (t) => {
  for (const [id, value, text] of ranges) t.equal(propose(committee(), [id, value]), text, `${id} = ${value}`);
  t.equal(propose(committee()), 'This proposal has no parameter.');
  t.equal(propose(committee(), [1n, 5n], [9n, 3n]), ranges[7]![2], 'every parameter counts');
});

t.test('a proposal is decided at the maintenance after three days', async (t) => {
  const state = committee();
  t.equal(propose(state, [1n, 5n]), undefined);
  const proposal = state.proposals.get(proposalKey(1n));
  t.same([proposal?.createTime, proposal?.expirationTime], [NOW, NOW + 5000n + 12n * 21_600_000n]);
  t.equal(state.properties.get('LATEST_PROPOSAL_NUM'), 1n);
});

t.test('only witnesses propose and approve; an approval is given and taken back once', async (t) => {
  const state = committee();
  propose(state, [1n, 5n]);
  const approve = (fill: number, isAddApproval: boolean, proposalId = 1n) =>
    refusal(proposalApprove, state, { ownerAddress: bytesOf(fill), proposalId, isAddApproval })?.text;
  t.equal(approve(3, true), `Witness[${addressOf(3)}] not exists`);
  t.equal(approve(2, true, 2n), 'Proposal[2] not exists');
  t.equal(approve(2, false), `Witness[${addressOf(2)}]has not approved proposal[1] before`);
  t.equal(approve(2, true), undefined);
  t.equal(approve(2, true), `Witness[${addressOf(2)}]has approved proposal[1] before`);
  t.equal(approve(2, false), undefined);
  t.same(state.proposals.get(proposalKey(1n))?.approvals, []);
});

t.test('the proposer alone takes a proposal back, once', async (t) => {
  const state = committee();
  propose(state, [1n, 5n]);
  const drop = (fill: number) => refusal(proposalDelete, state, { ownerAddress: bytesOf(fill), proposalId: 1n })?.text;
  t.equal(drop(2), `Proposal[1] is not proposed by ${addressOf(2)}`);
  t.equal(drop(WITNESS), undefined);
  t.equal(drop(WITNESS), 'Proposal[1] canceled');
  state.properties.set('latest_block_header_timestamp', NOW * 2n);
  t.equal(drop(WITNESS), 'Proposal[1] expired');
});
