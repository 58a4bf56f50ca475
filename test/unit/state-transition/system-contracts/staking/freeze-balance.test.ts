import t from 'tap';
import { AccountFrozen, AccountType } from '../../../../../src/codec/generated/messages.js';
import { ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { delegationKey } from '../../../../../src/state-transition/staking/delegation-rows.js';
import {
  freezeBalance,
  isForReceiver,
} from '../../../../../src/state-transition/system-contracts/staking/freeze-balance.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [1, 2];
const TRX = 1_000_000n;
const NOW = 50_000n;
const THREE_DAYS = 259_200_000n;

function fresh() {
  const state = stateWith({ latest_block_header_timestamp: NOW, ALLOW_DELEGATE_RESOURCE: 1n });
  addAccount(state, OWNER, 10n * TRX);
  addAccount(state, RECEIVER);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), frozenBalance: 10n * TRX, frozenDuration: 3n };
const DAYS = 'frozenDuration must be less than 3 days and more than 3 days';
const TWO = 'ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]';
const THREE = 'ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]';
const newModel = ({ properties }: ReturnType<typeof fresh>) => properties.set('ALLOW_NEW_RESOURCE_MODEL', 1n);

t.test('rejects stake with the text of the first broken rule', async (t) => {
  const toReceiver = { receiverAddress: bytesOf(RECEIVER) };
  refusalsOf(t, freezeBalance, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { ownerAddress: bytesOf(9) } },
      { text: 'frozenBalance must be positive', fields: { frozenBalance: 0n } },
      { text: 'frozenBalance must be more than 1TRX', fields: { frozenBalance: TRX - 1n } },
      { text: undefined, fields: { frozenBalance: TRX } },
      {
        text: 'frozenCount must be 0 or 1',
        given: (state) => void state.account(addressOf(OWNER))?.frozen.push(new AccountFrozen(), new AccountFrozen()),
      },
      { text: 'frozenBalance must be less than accountBalance', fields: { frozenBalance: 10n * TRX + 1n } },
      { text: DAYS, fields: { frozenDuration: 2n } },
      { text: DAYS, fields: { frozenDuration: 4n } },
      { text: TWO, fields: { resource: ResourceCode.TRON_POWER } },
      { text: undefined, fields: { resource: ResourceCode.TRON_POWER }, given: newModel },
      { text: THREE, fields: { resource: 3 }, given: newModel },
      {
        text: 'TRON_POWER is not allowed to delegate to other accounts.',
        fields: { resource: ResourceCode.TRON_POWER, ...toReceiver },
        given: newModel,
      },
      { text: 'receiverAddress must not be the same as ownerAddress', fields: { receiverAddress: bytesOf(OWNER) } },
      { text: 'Invalid receiverAddress', fields: { receiverAddress: new Uint8Array(3) } },
      { text: `Account[${addressOf(9)}] not exists`, fields: { receiverAddress: bytesOf(9) } },
      {
        text: 'Do not allow delegate resources to contract addresses',
        fields: toReceiver,
        given: (state) => {
          state.properties.set('ALLOW_TVM_CONSTANTINOPLE', 1n);
          addAccount(state, RECEIVER).type = AccountType.Contract;
        },
      },
      {
        text: 'freeze v2 is open, old freeze is closed',
        given: ({ properties }) => properties.set('UNFREEZE_DELAY_DAYS', 14n),
      },
    ],
  });
});

t.test('locks own stake for three days and adds to the network weight', async (t) => {
  const state = fresh();
  run(freezeBalance, state, { ...accepted, frozenBalance: 3n * TRX });
  run(freezeBalance, state, { ...accepted, frozenBalance: 2n * TRX, resource: ResourceCode.ENERGY });
  const account = state.account(addressOf(OWNER));
  t.same([account?.frozen[0]?.frozenBalance, account?.frozen[0]?.expireTime], [3n * TRX, NOW + THREE_DAYS]);
  t.equal(account?.accountResource?.frozenBalanceForEnergy?.frozenBalance, 2n * TRX);
  t.same(
    [account?.balance, state.properties.get('TOTAL_NET_WEIGHT'), state.properties.get('TOTAL_ENERGY_WEIGHT')],
    [5n * TRX, 3n, 2n],
  );
});

t.test('stores stake for a receiver in one row with an index entry for both', async (t) => {
  const state = fresh();
  run(freezeBalance, state, { ...accepted, receiverAddress: bytesOf(RECEIVER), resource: ResourceCode.ENERGY });
  const row = state.delegatedResources.get(delegationKey(addressOf(OWNER), addressOf(RECEIVER)));
  t.same([row?.frozenBalanceForEnergy, row?.expireTimeForEnergy], [10n * TRX, NOW + THREE_DAYS]);
  const [owner, receiver] = [OWNER, RECEIVER].map((fill) => state.account(addressOf(fill))?.accountResource);
  t.equal(owner?.delegatedFrozenBalanceForEnergy, 10n * TRX);
  t.equal(receiver?.acquiredDelegatedFrozenBalanceForEnergy, 10n * TRX);
  t.same(state.delegationIndex.get(addressOf(OWNER))?.toAccounts, [bytesOf(RECEIVER)]);
  t.same(state.delegationIndex.get(addressOf(RECEIVER))?.fromAccounts, [bytesOf(OWNER)]);
});

t.test('ignores a receiver before delegation is allowed', async (t) => {
  t.notOk(isForReceiver(stateWith(), { receiverAddress: bytesOf(RECEIVER) }));
  t.ok(isForReceiver(fresh(), { receiverAddress: bytesOf(RECEIVER) }));
  t.notOk(isForReceiver(fresh(), { receiverAddress: new Uint8Array(0) }));
});
