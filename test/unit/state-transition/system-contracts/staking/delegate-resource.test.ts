import t from 'tap';
import { AccountType } from '../../../../../src/codec/generated/messages.js';
import { addFrozenV2, frozenV2, ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { delegationKeyV2 } from '../../../../../src/state-transition/staking/delegation-rows.js';
import { delegateResource } from '../../../../../src/state-transition/system-contracts/staking/delegate-resource.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [1, 2];
const TRX = 1_000_000n;
const NOW = 10_000n;
const DAY_BLOCKS = 28_800n;

function fresh() {
  const state = stateWith({
    ALLOW_DELEGATE_RESOURCE: 1n,
    UNFREEZE_DELAY_DAYS: 14n,
    latest_block_header_timestamp: NOW,
    TOTAL_NET_WEIGHT: 10n,
    TOTAL_ENERGY_WEIGHT: 10n,
  });
  const account = addAccount(state, OWNER);
  addFrozenV2(account, ResourceCode.BANDWIDTH, 10n * TRX);
  addFrozenV2(account, ResourceCode.ENERGY, 10n * TRX);
  addAccount(state, RECEIVER);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), receiverAddress: bytesOf(RECEIVER), balance: 10n * TRX };
const longLocks = (state: ReturnType<typeof fresh>) =>
  state.properties.set('MAX_DELEGATE_LOCK_PERIOD', 10n * DAY_BLOCKS);

t.test('rejects a delegation with the text of the first broken rule', async (t) => {
  refusalsOf(t, delegateResource, {
    fresh,
    accepted,
    rows: [
      {
        text: 'No support for resource delegate',
        given: ({ properties }) => properties.set('ALLOW_DELEGATE_RESOURCE', 0n),
      },
      {
        text: 'Not support Delegate resource transaction, need to be opened by the committee',
        given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 0n),
      },
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'delegateBalance must be more than 1TRX', fields: { balance: TRX - 1n } },
      { text: 'ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]', fields: { resource: 2 } },
      {
        text: 'delegateBalance must be less than available FreezeBandwidthV2 balance',
        fields: { balance: 10n * TRX + 1n },
      },
      {
        text: 'delegateBalance must be less than available FreezeEnergyV2 balance',
        fields: { balance: 10n * TRX + 1n, resource: ResourceCode.ENERGY },
      },
      { text: 'Invalid receiverAddress', fields: { receiverAddress: new Uint8Array(3) } },
      { text: 'receiverAddress must not be the same as ownerAddress', fields: { receiverAddress: bytesOf(OWNER) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { receiverAddress: bytesOf(9) } },
      {
        text: 'Do not allow delegate resources to contract addresses',
        given: (state) => {
          addAccount(state, RECEIVER).type = AccountType.Contract;
        },
      },
      {
        text: 'The lock period of delegate resource cannot be less than 0 and cannot exceed 288000!',
        fields: { lock: true, lockPeriod: 10n * DAY_BLOCKS + 1n },
        given: longLocks,
      },
      { text: undefined, fields: { lock: true, lockPeriod: 10n * DAY_BLOCKS + 1n } },
      {
        text: 'The lock period for BANDWIDTH this time cannot be less than the remaining time[3001ms] of the last lock period for BANDWIDTH!',
        fields: { lock: true, lockPeriod: 1n, balance: TRX },
        given: (state) => {
          longLocks(state);
          run(delegateResource, state, { ...accepted, lock: true, lockPeriod: 2n, balance: TRX });
          state.properties.set('latest_block_header_timestamp', NOW + 2999n);
        },
      },
    ],
  });
});

t.test('moves delegated stake from the owner to the receiver', async (t) => {
  const state = fresh();
  run(delegateResource, state, { ...accepted, balance: 4n * TRX, lock: true, lockPeriod: 5n });
  const locked = state.delegatedResources.get(delegationKeyV2(addressOf(OWNER), addressOf(RECEIVER), true));
  t.same(
    [locked?.frozenBalanceForBandwidth, locked?.expireTimeForBandwidth],
    [4n * TRX, NOW + 259_200_000n],
    'three days while custom lock periods are disabled',
  );
  const [owner, receiver] = [OWNER, RECEIVER].map((fill) => state.account(addressOf(fill)));
  t.equal(owner === undefined ? undefined : frozenV2(owner, ResourceCode.BANDWIDTH), 6n * TRX);
  t.equal(owner?.delegatedFrozenV2BalanceForBandwidth, 4n * TRX);
  t.equal(receiver?.acquiredDelegatedFrozenV2BalanceForBandwidth, 4n * TRX);
});

t.test('applies a custom lock period once the parameter allows it', async (t) => {
  const state = fresh();
  longLocks(state);
  run(delegateResource, state, { ...accepted, lock: true, lockPeriod: 5n });
  const locked = state.delegatedResources.get(delegationKeyV2(addressOf(OWNER), addressOf(RECEIVER), true));
  t.equal(locked?.expireTimeForBandwidth, NOW + 15_000n);
});
