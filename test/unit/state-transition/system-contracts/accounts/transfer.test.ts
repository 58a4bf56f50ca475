import t from 'tap';
import { AccountType, SmartContract } from '../../../../../src/codec/generated/messages.js';
import { transfer } from '../../../../../src/state-transition/system-contracts/accounts/transfer.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, RECEIVER, NEW] = [1, 2, 3];
const FEE = 1_000_000n;

function fresh() {
  const state = stateWith({ CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT: FEE });
  addAccount(state, OWNER, 5_000_000n);
  addAccount(state, RECEIVER, 7n);
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), toAddress: bytesOf(RECEIVER), amount: 5_000_000n };
const asContract = (version?: number) => (state: ReturnType<typeof fresh>) => {
  addAccount(state, RECEIVER).type = AccountType.Contract;
  if (version === undefined) return;
  state.contracts.put(addressOf(RECEIVER), Object.assign(new SmartContract(), { version }));
};

t.test('rejects a transfer with the text of the first broken rule', async (t) => {
  refusalsOf(t, transfer, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid ownerAddress!', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Invalid toAddress!', fields: { toAddress: new Uint8Array(21) } },
      { text: 'Cannot transfer TRX to yourself.', fields: { toAddress: bytesOf(OWNER) } },
      { text: 'Validate TransferContract error, no OwnerAccount.', fields: { ownerAddress: bytesOf(NEW) } },
      { text: 'Amount must be greater than 0.', fields: { amount: 0n } },
      { text: 'Validate TransferContract error, balance is not sufficient.', fields: { amount: 5_000_001n } },
      {
        text: 'Validate TransferContract error, balance is not sufficient.',
        fields: { toAddress: bytesOf(NEW), amount: 4_000_001n },
      },
      {
        text: 'long overflow',
        given: (state) => {
          addAccount(state, RECEIVER, 2n ** 63n - 5_000_000n);
        },
      },
      { text: 'long overflow', fields: { toAddress: bytesOf(NEW), amount: 2n ** 63n - 1n } },
      { text: undefined, given: asContract() },
      {
        text: 'Cannot transfer TRX to a smartContract.',
        given: (state) => {
          state.properties.set('FORBID_TRANSFER_TO_CONTRACT', 1n);
          asContract()(state);
        },
      },
      {
        text: 'Account type is Contract, but it is not exist in contract store.',
        given: (state) => {
          state.properties.set('ALLOW_TVM_COMPATIBLE_EVM', 1n);
          asContract()(state);
        },
      },
      {
        text: 'Cannot transfer TRX to a smartContract which version is one. Instead please use TriggerSmartContract ',
        given: (state) => {
          state.properties.set('ALLOW_TVM_COMPATIBLE_EVM', 1n);
          asContract(1)(state);
        },
      },
      {
        text: undefined,
        given: (state) => {
          state.properties.set('ALLOW_TVM_COMPATIBLE_EVM', 1n);
          asContract(0)(state);
        },
      },
    ],
  });
});

t.test('moves the amount and charges a fee in the receipt for a new receiver', async (t) => {
  const state = fresh();
  t.equal(run(transfer, state, { ...accepted, amount: 1n }).fee, 0n);
  t.same([state.account(addressOf(OWNER))?.balance, state.account(addressOf(RECEIVER))?.balance], [4_999_999n, 8n]);
  t.equal(run(transfer, state, { ...accepted, toAddress: bytesOf(NEW), amount: 3n }).fee, FEE);
  t.same([state.account(addressOf(OWNER))?.balance, state.account(addressOf(NEW))?.balance], [3_999_996n, 3n]);
  t.equal(state.account(BLACKHOLE)?.balance, FEE);
});
