import t from 'tap';
import { AssetIssueContract } from '../../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { participateAssetIssue } from '../../../../../src/state-transition/system-contracts/assets/participate-asset-issue.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, addressOf, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const [ISSUER, BUYER] = [1, 2];
const ID = '1000001';

function fresh() {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n, latest_block_header_timestamp: 50n });
  const terms = { ownerAddress: bytesOf(ISSUER), startTime: 50n, endTime: 51n, num: 2, trxNum: 3 };
  state.assetsV2.put(toHex(utf8(ID)), Object.assign(new AssetIssueContract(), terms));
  addAccount(state, ISSUER, 0n, { [ID]: 100n });
  addAccount(state, BUYER, 1000n);
  return state;
}

const accepted = { ownerAddress: bytesOf(BUYER), toAddress: bytesOf(ISSUER), assetName: utf8(ID), amount: 100n };

t.test('rejects a purchase with the text of the first broken rule', async (t) => {
  refusalsOf(t, participateAssetIssue, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(2) } },
      { text: 'Invalid toAddress', fields: { toAddress: new Uint8Array(2) } },
      { text: 'Amount must greater than 0!', fields: { amount: 0n } },
      { text: 'Cannot participate asset Issue yourself !', fields: { ownerAddress: bytesOf(ISSUER) } },
      { text: 'Account does not exist!', fields: { ownerAddress: bytesOf(9) } },
      { text: 'No enough balance !', fields: { amount: 1001n } },
      { text: 'No asset named 1000002', fields: { assetName: utf8('1000002') } },
      { text: 'No asset named null', fields: { assetName: utf8('') } },
      { text: `The asset is not issued by ${toHex(bytesOf(3))}`, fields: { toAddress: bytesOf(3) } },
      {
        text: 'No longer valid period!',
        given: ({ properties }) => properties.set('latest_block_header_timestamp', 51n),
      },
      {
        text: 'No longer valid period!',
        given: ({ properties }) => properties.set('latest_block_header_timestamp', 49n),
      },
      { text: 'Can not process the exchange!', fields: { amount: 1n } },
      { text: 'Asset balance is not enough !', fields: { amount: 152n } },
      { text: undefined, fields: { amount: 151n } },
    ],
  });
});

t.test('rejects a product above 64 bits', async (t) => {
  const rich = () => {
    const state = fresh();
    addAccount(state, BUYER, 2n ** 63n - 1n);
    return state;
  };
  refusalsOf(t, participateAssetIssue, {
    fresh: rich,
    accepted,
    rows: [{ text: 'long overflow', fields: { amount: 2n ** 62n } }],
  });
});

t.test('credits the rounded-down amount to the buyer and all TRX to the issuer', async (t) => {
  const state = fresh();
  run(participateAssetIssue, state, accepted);
  const [buyer, issuer] = [BUYER, ISSUER].map((fill) => state.account(addressOf(fill)));
  t.same([buyer?.balance, buyer?.assetV2.get(ID)], [900n, 66n]);
  t.same([issuer?.balance, issuer?.assetV2.get(ID)], [100n, 34n]);
});
