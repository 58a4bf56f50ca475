import t from 'tap';
import { AccountType, AssetIssueContract } from '../../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { transferAsset } from '../../../../../src/state-transition/system-contracts/assets/transfer-asset.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, BLACKHOLE, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [OWNER, RECEIVER, NEW] = [1, 2, 3];
const ID = '1000001';
const FEE = 7n;

function fresh() {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n, CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT: FEE });
  state.assetsV2.put(toHex(utf8(ID)), new AssetIssueContract());
  addAccount(state, OWNER, FEE, { [ID]: 10n });
  addAccount(state, RECEIVER, 0n, { [ID]: 5n });
  return state;
}

const accepted = { ownerAddress: bytesOf(OWNER), toAddress: bytesOf(RECEIVER), assetName: utf8(ID), amount: 10n };

t.test('rejects a transfer of an asset with the text of the first broken rule', async (t) => {
  refusalsOf(t, transferAsset, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Invalid toAddress', fields: { toAddress: new Uint8Array(0) } },
      { text: 'Amount must be greater than 0.', fields: { amount: 0n } },
      { text: 'Cannot transfer asset to yourself.', fields: { toAddress: bytesOf(OWNER) } },
      { text: 'No owner account!', fields: { ownerAddress: bytesOf(9) } },
      { text: 'No asset!', fields: { assetName: utf8('1000002') } },
      { text: 'assetBalance must be greater than 0.', given: (state) => void addAccount(state, OWNER, FEE) },
      { text: 'assetBalance is not sufficient.', fields: { amount: 11n } },
      {
        text: 'Validate TransferAssetActuator error, insufficient fee.',
        fields: { toAddress: bytesOf(NEW) },
        given: (state) => void addAccount(state, OWNER, FEE - 1n, { [ID]: 10n }),
      },
      {
        text: 'Cannot transfer asset to smartContract.',
        given: (state) => {
          state.properties.set('FORBID_TRANSFER_TO_CONTRACT', 1n);
          addAccount(state, RECEIVER).type = AccountType.Contract;
        },
      },
      {
        text: undefined,
        given: (state) => {
          addAccount(state, RECEIVER).type = AccountType.Contract;
        },
      },
      { text: 'long overflow', given: (state) => void addAccount(state, RECEIVER, 0n, { [ID]: 2n ** 63n - 10n }) },
    ],
  });
});

t.test('moves the amount and burns a fee for a new receiver', async (t) => {
  const state = fresh();
  const tokens = (fill: number) => state.account(addressOf(fill))?.assetV2.get(ID);
  t.equal(run(transferAsset, state, { ...accepted, amount: 4n }).fee, 0n);
  t.same([tokens(OWNER), tokens(RECEIVER)], [6n, 9n]);
  t.equal(run(transferAsset, state, { ...accepted, toAddress: bytesOf(NEW), amount: 6n }).fee, FEE);
  t.same([tokens(OWNER), tokens(NEW), state.account(BLACKHOLE)?.balance], [0n, 6n, FEE]);
});
