import t from 'tap';
import { addFrozenV2, frozenV2, ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { delegationKeyV2 } from '../../../../../src/state-transition/staking/delegation-rows.js';
import { delegateResource } from '../../../../../src/state-transition/system-contracts/staking/delegate-resource.js';
import { undelegateResource } from '../../../../../src/state-transition/system-contracts/staking/undelegate-resource.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [1, 2];
const TRX = 1_000_000n;
const THREE_DAYS = 259_200_000n;

/** Returns a state with a delegation of 4 TRX for bandwidth. 2 TRX of it are locked for three days. */
function fresh() {
  const state = stateWith({ ALLOW_DELEGATE_RESOURCE: 1n, UNFREEZE_DELAY_DAYS: 14n, TOTAL_NET_WEIGHT: 10n });
  addFrozenV2(addAccount(state, OWNER), ResourceCode.BANDWIDTH, 10n * TRX);
  addAccount(state, RECEIVER);
  const loan = { ownerAddress: bytesOf(OWNER), receiverAddress: bytesOf(RECEIVER), balance: 2n * TRX };
  run(delegateResource, state, loan);
  run(delegateResource, state, { ...loan, lock: true });
  return state;
}

const later = ({ properties }: ReturnType<typeof fresh>) =>
  properties.set('latest_block_header_timestamp', THREE_DAYS + 1n);
const accepted = { ownerAddress: bytesOf(OWNER), receiverAddress: bytesOf(RECEIVER), balance: 2n * TRX };
const short = (request: bigint) =>
  `insufficient delegatedFrozenBalance(BANDWIDTH), request=${request}, unlock_balance=2000000`;

t.test('keeps delegated stake if a rule is broken', async (t) => {
  refusalsOf(t, undelegateResource, {
    fresh,
    accepted,
    rows: [
      {
        text: 'No support for resource delegate',
        given: ({ properties }) => properties.set('ALLOW_DELEGATE_RESOURCE', 0n),
      },
      {
        text: 'Not support unDelegate resource transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] does not exist`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'Invalid receiverAddress', fields: { receiverAddress: new Uint8Array(3) } },
      { text: 'receiverAddress must not be the same as ownerAddress', fields: { receiverAddress: bytesOf(OWNER) } },
      {
        text: 'delegated Resource does not exist',
        fields: { ownerAddress: bytesOf(RECEIVER), receiverAddress: bytesOf(OWNER) },
      },
      { text: 'unDelegateBalance must be more than 0 TRX', fields: { balance: 0n } },
      { text: 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]', fields: { resource: 2 } },
      { text: short(2n * TRX + 1n), fields: { balance: 2n * TRX + 1n } },
      {
        text: 'insufficient delegateFrozenBalance(Energy), request=1, unlock_balance=0',
        fields: { balance: 1n, resource: ResourceCode.ENERGY },
      },
      {
        text: short(4n * TRX),
        fields: { balance: 4n * TRX },
        given: ({ properties }) => properties.set('latest_block_header_timestamp', THREE_DAYS),
      },
      { text: undefined, fields: { balance: 4n * TRX }, given: later },
    ],
  });
});

t.test('returns stake to its owner and removes the rows of the last delegation', async (t) => {
  const state = fresh();
  later(state);
  run(undelegateResource, state, { ...accepted, balance: 3n * TRX });
  const [from, to] = [addressOf(OWNER), addressOf(RECEIVER)];
  const open = () => state.delegatedResources.get(delegationKeyV2(from, to, false));
  t.equal(open()?.frozenBalanceForBandwidth, TRX, 'the expired locked stake was merged into the unlocked row');
  t.notOk(state.delegatedResources.has(delegationKeyV2(from, to, true)));
  run(undelegateResource, state, { ...accepted, balance: TRX });
  t.equal(open(), undefined);
  t.notOk(state.delegationIndex.has(`03${from}${to}`));
  const [owner, receiver] = [from, to].map((address) => state.account(address));
  t.equal(owner === undefined ? undefined : frozenV2(owner, ResourceCode.BANDWIDTH), 10n * TRX);
  t.same(
    [owner?.delegatedFrozenV2BalanceForBandwidth, receiver?.acquiredDelegatedFrozenV2BalanceForBandwidth],
    [0n, 0n],
  );
});

t.test('returns the usage of the stake from the receiver', async (t) => {
  const state = fresh();
  later(state);
  const receiver = state.account(addressOf(RECEIVER));
  if (receiver !== undefined) {
    receiver.netUsage = 1000n;
    receiver.latestConsumeTime = (THREE_DAYS + 1n) / 3000n;
  }
  run(undelegateResource, state, accepted);
  t.equal(state.account(addressOf(RECEIVER))?.netUsage, 500n, 'half of the delegated stake returns half of the usage');
  t.equal(state.account(addressOf(OWNER))?.netUsage, 500n);
});
