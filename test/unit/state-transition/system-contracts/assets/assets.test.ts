import t from 'tap';
import { AssetIssueContractFrozenSupply } from '../../../../../src/codec/generated/messages.js';
import { toJavaText } from '../../../../../src/java-compat/text.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import type { State } from '../../../../../src/state-transition/state/state.js';
import { assetIssue } from '../../../../../src/state-transition/system-contracts/assets/asset-issue.js';
import { participateAssetIssue } from '../../../../../src/state-transition/system-contracts/assets/participate-asset-issue.js';
import { transferAsset } from '../../../../../src/state-transition/system-contracts/assets/transfer-asset.js';
import { unfreezeAsset } from '../../../../../src/state-transition/system-contracts/assets/unfreeze-asset.js';
import {
  addAccount,
  addressOf,
  BLACKHOLE,
  bytesOf,
  refusal,
  run,
  stateWith,
} from '../../../../support/vm/state-with.js';

const [ISSUER, BUYER, NEW] = [1, 2, 3];
const DAY_MS = 86_400_000n;
const ID = '1000001';

function issued(sameNames: bigint): State {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: sameNames, CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT: 7n });
  addAccount(state, ISSUER, 2_000_000_000n);
  addAccount(state, BUYER, 1000n);
  const frozenSupply = [Object.assign(new AssetIssueContractFrozenSupply(), { frozenAmount: 40n, frozenDays: 2n })];
  const texts = { name: utf8('Coin'), abbr: utf8('C'), url: utf8('u'), precision: 3 };
  const terms = { totalSupply: 1000n, trxNum: 3, num: 2, startTime: 1000n, endTime: 9000n, frozenSupply };
  const result = run(assetIssue, state, { ownerAddress: bytesOf(ISSUER), ...texts, ...terms });
  t.same([result.assetIssueID, result.fee], [ID, 1_024_000_000n]);
  state.properties.set('latest_block_header_timestamp', 1000n);
  return state;
}

t.test('finds an asset by name and id until names may repeat, then by id', async (t) => {
  const old = issued(0n);
  t.equal(old.assets.get(toHex(utf8('Coin')))?.precision, 3);
  t.equal(old.assetsV2.get(toHex(utf8(ID)))?.precision, 0, 'only the row by id has a precision');
  t.same([...old.account(addressOf(ISSUER))!.asset], [['Coin', 960n]]);
  const later = issued(1n);
  t.notOk(later.assets.has(toHex(utf8('Coin'))));
  t.equal(later.assetsV2.get(toHex(utf8(ID)))?.precision, 3);
  t.same([...later.account(addressOf(ISSUER))!.asset], []);
  t.same([...later.account(addressOf(ISSUER))!.assetV2], [[ID, 960n]]);
});

t.test(
  'credits the rounded amount to the buyer and TRX to the issuer, before and after names may repeat',
  async (t) => {
    for (const [era, name] of [
      [0n, 'Coin'],
      [1n, ID],
    ] as const) {
      const state = issued(era);
      const contract = { ownerAddress: bytesOf(BUYER), toAddress: bytesOf(ISSUER), assetName: utf8(name) };
      t.equal(
        refusal(participateAssetIssue, state, { ...contract, amount: 1n })?.text,
        'Can not process the exchange!',
      );
      run(participateAssetIssue, state, { ...contract, amount: 100n });
      t.equal(state.account(addressOf(BUYER))?.assetV2.get(ID), 66n);
      t.equal(state.account(addressOf(ISSUER))?.assetV2.get(ID), 894n);
      t.equal(state.account(addressOf(BUYER))?.balance, 900n);
    }
    const missing = { ownerAddress: bytesOf(BUYER), toAddress: bytesOf(ISSUER), amount: 1n };
    t.equal(refusal(participateAssetIssue, issued(1n), missing)?.text, 'No asset named null');
  },
);

t.test('creates the receiver of a transfer and adds the fee to the receipt', async (t) => {
  const state = issued(1n);
  const transfer = { ownerAddress: bytesOf(ISSUER), toAddress: bytesOf(NEW), assetName: utf8(ID), amount: 960n };
  const before = state.account(addressOf(ISSUER))!.balance;
  t.equal(run(transferAsset, state, transfer).fee, 7n);
  t.equal(state.account(addressOf(ISSUER))?.balance, before - 7n);
  t.equal(state.account(BLACKHOLE)?.balance, 1_024_000_007n);
  t.same([...state.account(addressOf(ISSUER))!.assetV2], [[ID, 0n]], 'the account keeps a balance of zero');
  t.same([...state.account(addressOf(NEW))!.assetV2], [[ID, 960n]]);
  t.equal(refusal(transferAsset, state, transfer)?.text, 'assetBalance must be greater than 0.');
});

t.test('stores balances as rows with asset optimisation, without a row for zero', async (t) => {
  const state = issued(1n);
  state.properties.set('ALLOW_ASSET_OPTIMIZATION', 1n);
  const row = (fill: number) => state.accountAssets.get(addressOf(fill) + toHex(utf8(ID)));
  const transfer = { ownerAddress: bytesOf(ISSUER), toAddress: bytesOf(BUYER), assetName: utf8(ID) };
  run(transferAsset, state, { ...transfer, amount: 100n });
  t.same([row(ISSUER), row(BUYER)], [860n, 100n]);
  run(transferAsset, state, { ...transfer, amount: 860n });
  t.same([row(ISSUER), row(BUYER)], [undefined, 960n]);
});

t.test('unfreezes the frozen supply only after its number of days', async (t) => {
  const state = issued(1n);
  const contract = { ownerAddress: bytesOf(ISSUER) };
  t.equal(refusal(unfreezeAsset, state, contract)?.text, "It's not time to unfreeze asset supply");
  state.properties.set('latest_block_header_timestamp', 1000n + 2n * DAY_MS);
  run(unfreezeAsset, state, contract);
  t.equal(state.account(addressOf(ISSUER))?.assetV2.get(ID), 1000n);
  t.equal(refusal(unfreezeAsset, state, contract)?.text, 'no frozen supply balance');
});

t.test('decodes malformed text like Java, with one replacement for an encoded surrogate', async (t) => {
  const cases = { eda080: '\ufffd', eda0: '\ufffd', eda041: '\ufffdA', f08080: '\ufffd\ufffd\ufffd', ed9fbf: '\ud7ff' };
  for (const [hex, text] of Object.entries(cases)) t.equal(toJavaText(Buffer.from(hex, 'hex')), text, hex);
});
