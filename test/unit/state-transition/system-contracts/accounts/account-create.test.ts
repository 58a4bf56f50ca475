import t from 'tap';
import { AccountType } from '../../../../../src/codec/generated/messages.js';
import { accountCreate } from '../../../../../src/state-transition/system-contracts/accounts/account-create.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, refusal, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, NEW] = [1, 2];

function fresh() {
  const state = stateWith({ CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT: 7n, latest_block_header_timestamp: 99n });
  addAccount(state, OWNER, 7n);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), accountAddress: bytesOf(NEW) };

t.test('rejects the creation of an account if a rule is broken', async (t) => {
  refusalsOf(t, accountCreate, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(0) } },
      { text: `Account[${addressOf(3)}] not exists`, fields: { ownerAddress: bytesOf(3) } },
      {
        text: 'Validate CreateAccountActuator error, insufficient fee.',
        given: (state) => {
          addAccount(state, OWNER, 6n);
        },
      },
      { text: 'Invalid account address', fields: { accountAddress: new Uint8Array(21) } },
      { text: 'Account has existed', fields: { accountAddress: bytesOf(OWNER) } },
    ],
  });
});

t.test('creates the account with its type and time and charges the owner', async (t) => {
  const state = fresh();
  t.equal(run(accountCreate, state, { ...accepted, type: AccountType.AssetIssue }).fee, 7n);
  const made = state.account(addressOf(NEW));
  t.same([made?.type, made?.createTime, made?.balance], [AccountType.AssetIssue, 99n, 0n]);
  t.equal(state.account(addressOf(OWNER))?.balance, 0n);
});

t.test('fails with an unchecked exception for an unknown account type', async (t) => {
  t.equal(refusal(accountCreate, fresh(), { ...accepted, type: 3 })?.exception, 'IllegalArgumentException');
});
