import t from 'tap';
import { AccountUnFreezeV2 } from '../../../../src/codec/generated/messages.js';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import { frozenV2, ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import {
  cancelUnfreezing,
  delegate,
  freezeV2,
  undelegate,
  unfreezeV2,
  withdrawUnfrozen,
} from '../../../../src/state-transition/staking/stake-v2.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [addressOf(1), addressOf(2)];
const { BANDWIDTH, ENERGY, TRON_POWER } = ResourceCode;
const TRX = 1_000_000n;
const DELAY_MS = 14n * 86_400_000n;

function world() {
  const state = stateWith({ UNFREEZE_DELAY_DAYS: 14n, ALLOW_DELEGATE_RESOURCE: 1n });
  addAccount(state, 1, 10n * TRX);
  addAccount(state, 2);
  return { state, accounts: new VmAccounts(state) };
}

function stake(state: ReturnType<typeof world>['state'], resource: number): bigint | undefined {
  const account = state.account(OWNER);
  return account && frozenV2(account, resource);
}

t.test('stakes, unfreezes and withdraws', async (t) => {
  const { accounts, state } = world();
  t.throws(() => freezeV2(accounts, OWNER, BANDWIDTH, 0n), { message: 'FrozenBalance must be positive' });
  t.throws(() => freezeV2(accounts, OWNER, BANDWIDTH, TRX - 1n), { message: 'FrozenBalance must be more than 1TRX' });
  t.throws(() => freezeV2(accounts, OWNER, BANDWIDTH, 11n * TRX), {
    message: 'FrozenBalance must be less than accountBalance',
  });
  freezeV2(accounts, OWNER, BANDWIDTH, 4n * TRX);
  t.same([stake(state, BANDWIDTH), state.properties.get('TOTAL_NET_WEIGHT')], [4n * TRX, 4n]);
  t.throws(() => unfreezeV2(accounts, OWNER, BANDWIDTH, 5n * TRX), {
    message: 'Invalid unfreeze_balance, [5000000] is error',
  });
  t.throws(() => unfreezeV2(accounts, OWNER, ENERGY, TRX), { message: 'no frozenBalance(ENERGY)' });
  t.equal(unfreezeV2(accounts, OWNER, BANDWIDTH, 3n * TRX), 0n);
  t.equal(withdrawUnfrozen(accounts, OWNER), 0n);
  state.properties.set('latest_block_header_timestamp', DELAY_MS);
  t.equal(withdrawUnfrozen(accounts, OWNER), 3n * TRX);
  t.same([state.account(OWNER)?.balance, stake(state, BANDWIDTH)], [9n * TRX, TRX]);
});

// Reference: FreezeBalanceV2Processor.validate. The text lists the valid codes, which depend on the resource model.
t.test('rejects an unknown resource and names the valid codes', async (t) => {
  const { accounts, state } = world();
  const two = 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]';
  for (const resource of [TRON_POWER, 3]) t.throws(() => freezeV2(accounts, OWNER, resource, TRX), { message: two });
  state.properties.set('ALLOW_NEW_RESOURCE_MODEL', 1n);
  t.doesNotThrow(() => freezeV2(accounts, OWNER, TRON_POWER, TRX));
  t.throws(() => freezeV2(accounts, OWNER, 3, TRX), {
    message: 'Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY、TRON_POWER]',
  });
});

t.test('allows 32 pending unfreezes', async (t) => {
  const { accounts, state } = world();
  freezeV2(accounts, OWNER, BANDWIDTH, 4n * TRX);
  const entry = Object.assign(new AccountUnFreezeV2(), { unfreezeAmount: 1n, unfreezeExpireTime: 1n });
  for (let i = 0; i < 32; i++) state.account(OWNER)?.unfrozenV2.push(entry);
  t.throws(() => unfreezeV2(accounts, OWNER, BANDWIDTH, TRX), {
    message: 'Invalid unfreeze operation, unfreezing times is over limit',
  });
});

t.test('stakes pending unfreezes again on cancel and pays expired ones', async (t) => {
  const { accounts, state } = world();
  freezeV2(accounts, OWNER, ENERGY, 4n * TRX);
  unfreezeV2(accounts, OWNER, ENERGY, TRX);
  state.properties.set('latest_block_header_timestamp', DELAY_MS);
  unfreezeV2(accounts, OWNER, ENERGY, 2n * TRX);
  const again = cancelUnfreezing(accounts, OWNER);
  t.same(
    [again.due, [...again.restaked]],
    [0n, [[ENERGY, 2n * TRX]]],
    'the second unfreeze has paid the expired amount',
  );
  t.same([stake(state, ENERGY), state.account(OWNER)?.balance], [3n * TRX, 7n * TRX]);
  t.same(state.account(OWNER)?.unfrozenV2, []);
});

t.test('delegates a resource to a receiver and undelegates it', async (t) => {
  const { accounts, state } = world();
  freezeV2(accounts, OWNER, ENERGY, 4n * TRX);
  const loan: Parameters<typeof delegate>[1] = { owner: OWNER, receiver: RECEIVER, resource: ENERGY, amount: 4n * TRX };
  const refusals: readonly (readonly [message: string, run: typeof delegate, fields: Partial<typeof loan>])[] = [
    ['delegateBalance must be more than 1TRX', delegate, { amount: TRX - 1n }],
    ['Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]', delegate, { resource: TRON_POWER }],
    ['delegateBalance must be less than available FreezeEnergyV2 balance', delegate, { amount: 5n * TRX }],
    ['receiverAddress must not be the same as ownerAddress', delegate, { receiver: OWNER }],
    [`Account[${addressOf(9)}] not exists`, delegate, { receiver: addressOf(9) }],
    ['delegated Resource does not exist', undelegate, {}],
  ];
  for (const [message, run, fields] of refusals) t.throws(() => run(accounts, { ...loan, ...fields }), { message });
  delegate(accounts, loan);
  t.same(
    [stake(state, ENERGY), state.account(OWNER)?.accountResource?.delegatedFrozenV2BalanceForEnergy],
    [0n, 4n * TRX],
  );
  t.throws(() => undelegate(accounts, { ...loan, amount: 5n * TRX }), {
    message: 'insufficient delegateFrozenBalance(ENERGY), request=5000000, balance=4000000',
  });
  t.throws(() => undelegate(accounts, { ...loan, amount: 0n }), {
    message: 'unDelegateBalance must be more than 0 TRX',
  });
  undelegate(accounts, loan);
  t.equal(stake(state, ENERGY), 4n * TRX);
  t.notOk(state.delegationIndex.has(`03${OWNER}${RECEIVER}`));
  t.equal(state.account(RECEIVER)?.accountResource?.acquiredDelegatedFrozenV2BalanceForEnergy, 0n);
});
