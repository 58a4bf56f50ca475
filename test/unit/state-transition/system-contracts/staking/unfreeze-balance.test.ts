import t from 'tap';
import { AccountFrozen, Vote } from '../../../../../src/codec/generated/messages.js';
import { ResourceCode } from '../../../../../src/state-transition/resources/stake.js';
import { delegationKey } from '../../../../../src/state-transition/staking/delegation-rows.js';
import { freezeBalance } from '../../../../../src/state-transition/system-contracts/staking/freeze-balance.js';
import { unfreezeBalance } from '../../../../../src/state-transition/system-contracts/staking/unfreeze-balance.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [1, 2];
const TRX = 1_000_000n;
const THREE_DAYS = 259_200_000n;
const DELEGATED = { receiverAddress: bytesOf(RECEIVER) };

/**
 * Returns a state in which the owner has 3 TRX staked for bandwidth and has delegated 2 TRX for energy. Both have
 * expired.
 */
function fresh() {
  const state = stateWith({ ALLOW_DELEGATE_RESOURCE: 1n, ALLOW_MULTI_SIGN: 1n });
  addAccount(state, OWNER, 10n * TRX);
  addAccount(state, RECEIVER);
  const stake = { ownerAddress: bytesOf(OWNER), frozenDuration: 3n };
  run(freezeBalance, state, { ...stake, frozenBalance: 3n * TRX });
  run(freezeBalance, state, { ...stake, ...DELEGATED, frozenBalance: 2n * TRX, resource: ResourceCode.ENERGY });
  state.properties.set('latest_block_header_timestamp', THREE_DAYS);
  return state;
}

const early = ({ properties }: ReturnType<typeof fresh>) =>
  properties.set('latest_block_header_timestamp', THREE_DAYS - 1n);
const newModel = ({ properties }: ReturnType<typeof fresh>) => properties.set('ALLOW_NEW_RESOURCE_MODEL', 1n);
const accepted = { ownerAddress: bytesOf(OWNER) };
const TWO = 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]';

t.test('keeps own stake if a rule is broken', async (t) => {
  const tronPower = { resource: ResourceCode.TRON_POWER };
  refusalsOf(t, unfreezeBalance, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid address', fields: { ownerAddress: new Uint8Array(20) } },
      { text: `Account[${addressOf(9)}] does not exist`, fields: { ownerAddress: bytesOf(9) } },
      { text: "It's not time to unfreeze(BANDWIDTH).", given: early },
      { text: 'no frozenBalance(BANDWIDTH)', fields: { ownerAddress: bytesOf(RECEIVER) } },
      { text: 'no frozenBalance(Energy)', fields: { resource: ResourceCode.ENERGY } },
      { text: TWO, fields: tronPower },
      { text: TWO, fields: { resource: 3 } },
      { text: 'no frozenBalance(TronPower)', fields: tronPower, given: newModel },
      {
        text: "It's not time to unfreeze(TronPower).",
        fields: tronPower,
        given: (state) => {
          newModel(state);
          const stake = Object.assign(new AccountFrozen(), { frozenBalance: 1n, expireTime: THREE_DAYS + 1n });
          addAccount(state, OWNER).tronPower = stake;
        },
      },
      {
        text: 'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy、TRON_POWER]',
        fields: { resource: 3 },
        given: newModel,
      },
    ],
  });
});

t.test('keeps delegated stake if a rule is broken', async (t) => {
  const delegated = { ...accepted, ...DELEGATED, resource: ResourceCode.ENERGY };
  refusalsOf(t, unfreezeBalance, {
    fresh,
    accepted: delegated,
    rows: [
      { text: 'receiverAddress must not be the same as ownerAddress', fields: { receiverAddress: bytesOf(OWNER) } },
      { text: 'Invalid receiverAddress', fields: { receiverAddress: new Uint8Array(4) } },
      { text: `Receiver Account[${addressOf(9)}] does not exist`, fields: { receiverAddress: bytesOf(9) } },
      {
        text: 'delegated Resource does not exist',
        fields: { ownerAddress: bytesOf(RECEIVER), receiverAddress: bytesOf(OWNER) },
      },
      { text: TWO, fields: { resource: ResourceCode.TRON_POWER } },
      { text: 'no delegatedFrozenBalance(BANDWIDTH)', fields: { resource: ResourceCode.BANDWIDTH } },
      {
        text: 'AcquiredDelegatedFrozenBalanceForEnergy[0] < delegatedEnergy[2000000]',
        given: (state) => void addAccount(state, RECEIVER),
      },
      { text: "It's not time to unfreeze.", given: early },
      {
        text: undefined,
        given: (state) => {
          early(state);
          // Before the multi-sign proposal, the expiration for bandwidth applied to both resources. This row has no
          // expiration for bandwidth.
          state.properties.set('ALLOW_MULTI_SIGN', 0n);
        },
      },
    ],
  });
});

t.test('returns all stake and removes votes and weight', async (t) => {
  const state = fresh();
  state.account(addressOf(OWNER))?.votes.push(Object.assign(new Vote(), { voteAddress: bytesOf(5), voteCount: 1n }));
  t.equal(run(unfreezeBalance, state, accepted).unfreezeAmount, 3n * TRX);
  const account = state.account(addressOf(OWNER));
  t.same([account?.balance, account?.frozen.length, account?.votes.length], [8n * TRX, 0, 0]);
  t.equal(state.properties.get('TOTAL_NET_WEIGHT'), 0n);
  t.equal(state.votes.get(addressOf(OWNER))?.oldVotes.length, 1);
});

t.test('removes the row and index entries of the last delegation', async (t) => {
  const state = fresh();
  run(unfreezeBalance, state, { ...accepted, ...DELEGATED, resource: ResourceCode.ENERGY });
  t.notOk(state.delegatedResources.has(delegationKey(addressOf(OWNER), addressOf(RECEIVER))));
  t.same(state.delegationIndex.get(addressOf(OWNER))?.toAccounts, []);
  t.same(state.delegationIndex.get(addressOf(RECEIVER))?.fromAccounts, []);
  t.equal(state.account(addressOf(RECEIVER))?.accountResource?.acquiredDelegatedFrozenBalanceForEnergy, 0n);
  t.equal(state.properties.get('TOTAL_ENERGY_WEIGHT'), 0n);
});
