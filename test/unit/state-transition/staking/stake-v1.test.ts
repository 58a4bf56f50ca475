import t from 'tap';
import { AccountType } from '../../../../src/codec/generated/messages.js';
import { VmAccounts } from '../../../../src/state-transition/balances/accounts.js';
import { ResourceCode } from '../../../../src/state-transition/resources/stake.js';
import { freezeV1, unfreeze } from '../../../../src/state-transition/staking/stake-v1.js';
import { addAccount, addressOf, stateWith } from '../../../support/vm/state-with.js';

const [OWNER, RECEIVER] = [addressOf(1), addressOf(2)];
const { BANDWIDTH, ENERGY } = ResourceCode;
const TRX = 1_000_000n;
const THREE_DAYS = 259_200_000n;
const own = (resource: number) => ({ owner: OWNER, receiver: OWNER, resource, depth: 0 });
const delegatedTo = (resource: number) => ({ ...own(resource), receiver: RECEIVER });

function world() {
  const state = stateWith();
  addAccount(state, 1, 10n * TRX);
  addAccount(state, 2);
  return { state, accounts: new VmAccounts(state) };
}

t.test("rejects staking by a contract with java-tron's error text", async (t) => {
  const { accounts, state } = world();
  const rows: readonly (readonly [text: string, stake: ReturnType<typeof own>, amount: bigint])[] = [
    ['FrozenBalance must be positive', own(BANDWIDTH), 0n],
    ['FrozenBalance must be more than 1TRX', own(BANDWIDTH), TRX - 1n],
    ['FrozenBalance must be less than accountBalance', own(BANDWIDTH), 11n * TRX],
    ['Unknown ResourceCode, valid ResourceCode[BANDWIDTH、ENERGY]', own(2), TRX],
  ];
  for (const [message, stake, amount] of rows) t.throws(() => freezeV1(accounts, stake, amount), { message });
  addAccount(state, 2).type = AccountType.Contract;
  t.throws(() => freezeV1(accounts, delegatedTo(ENERGY), TRX), {
    message: 'Do not allow delegate resources to contract addresses',
  });
});

t.test('returns own stake after three days', async (t) => {
  for (const resource of [BANDWIDTH, ENERGY]) {
    const { accounts, state } = world();
    const name = resource === BANDWIDTH ? 'BANDWIDTH' : 'Energy';
    t.throws(() => unfreeze(accounts, own(resource)), { message: `no frozenBalance(${name})` });
    freezeV1(accounts, own(resource), 3n * TRX);
    t.equal(state.account(OWNER)?.balance, 7n * TRX);
    state.properties.set('latest_block_header_timestamp', THREE_DAYS - 1n);
    t.throws(() => unfreeze(accounts, own(resource)), { message: `It's not time to unfreeze(${name}).` });
    state.properties.set('latest_block_header_timestamp', THREE_DAYS);
    t.equal(unfreeze(accounts, own(resource)), 3n * TRX);
    t.equal(state.account(OWNER)?.balance, 10n * TRX);
    t.equal(state.properties.get(resource === BANDWIDTH ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT'), 0n);
  }
});

t.test('returns delegated stake and removes it from the receiver', async (t) => {
  const { accounts, state } = world();
  t.throws(() => unfreeze(accounts, delegatedTo(ENERGY)), { message: 'delegated Resource does not exist' });
  freezeV1(accounts, delegatedTo(ENERGY), 2n * TRX);
  t.equal(state.account(RECEIVER)?.accountResource?.acquiredDelegatedFrozenBalanceForEnergy, 2n * TRX);
  t.throws(() => unfreeze(accounts, delegatedTo(BANDWIDTH)), { message: 'no delegatedFrozenBalance(BANDWIDTH)' });
  t.throws(() => unfreeze(accounts, delegatedTo(ENERGY)), { message: "It's not time to unfreeze(Energy)." });
  state.properties.set('latest_block_header_timestamp', THREE_DAYS);
  t.equal(unfreeze(accounts, delegatedTo(ENERGY)), 2n * TRX);
  t.equal(state.account(RECEIVER)?.accountResource?.acquiredDelegatedFrozenBalanceForEnergy, 0n);
});
