import t from 'tap';
import { proposalKey } from '../../../../../src/state-transition/governance/process-proposals.js';
import { release482 } from '../../../../../src/state-transition/releases/release-4.8.2.js';
import type { State } from '../../../../../src/state-transition/state/state.js';
import {
  proposalCreate,
  proposalLifeMs,
} from '../../../../../src/state-transition/system-contracts/governance/proposal-create.js';
import { committee, NOW, VOTER, WITNESS } from '../../../../support/vm/committee.js';
import { addressOf, bytesOf, refusal } from '../../../../support/vm/state-with.js';

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

t.test('rejects values outside the range of their parameter', async (t) => {
  for (const [id, value, text] of ranges) t.equal(propose(committee(), [id, value]), text, `${id} = ${value}`);
  t.equal(propose(committee()), 'This proposal has no parameter.');
  t.equal(propose(committee(), [1n, 5n], [9n, 3n]), ranges[7]![2], 'every parameter is validated');
});

t.test('processes a proposal at the maintenance after three days', async (t) => {
  const state = committee();
  t.equal(propose(state, [1n, 5n]), undefined);
  const proposal = state.proposals.get(proposalKey(1n));
  t.same([proposal?.createTime, proposal?.expirationTime], [NOW, NOW + 5000n + 12n * 21_600_000n]);
  t.equal(state.properties.get('LATEST_PROPOSAL_NUM'), 1n);
});

t.test('accepts proposals only from witnesses', async (t) => {
  const contract = { ownerAddress: bytesOf(VOTER), parameters: new Map([[1n, 5n]]) };
  t.equal(refusal(proposalCreate, committee(), contract)?.text, `Witness[${addressOf(VOTER)}] not exists`);
});

t.test("expires a proposal after the chain's period and ignores an invalid period", async (t) => {
  const endOf = (life: bigint | undefined): bigint | undefined => {
    const state = committee(release482);
    if (life !== undefined) state.properties.set('PROPOSAL_EXPIRE_TIME', life);
    propose(state, [1n, 5n]);
    return state.proposals.get(proposalKey(1n))?.expirationTime;
  };
  const period = 21_600_000n;
  const standard = NOW + 5000n + 12n * period;
  t.equal(endOf(undefined), standard);
  t.equal(endOf(1n), NOW + 5000n + period, 'Java rounds towards zero: at the second maintenance from now');
  t.equal(endOf(period + 5000n), NOW + 5000n + 2n * period);
  t.equal(endOf(0n), standard);
  t.equal(endOf(31_536_003_000n), standard);
  t.equal(proposalLifeMs(committee(release482).properties), 259_200_000n, 'three days');
});
