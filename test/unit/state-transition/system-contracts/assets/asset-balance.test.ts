import t from 'tap';
import { AssetIssueContract } from '../../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { ChainError } from '../../../../../src/state-transition/errors.js';
import {
  addAsset,
  assetBalance,
  assetIssueRows,
  hasAssetAmount,
  namedAssetId,
  reduceAsset,
} from '../../../../../src/state-transition/system-contracts/assets/asset-balance.js';
import { addAccount, addressOf, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = addressOf(1);
const [NAME, ID] = [utf8('Coin'), utf8('1000001')];

function era(sameNames: bigint) {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: sameNames });
  state.assets.put(toHex(NAME), Object.assign(new AssetIssueContract(), { id: '1000001' }));
  const account = addAccount(state, 1, 0n, { 1000001: 10n });
  account.asset.set('Coin', 10n);
  return { state, account };
}

t.test('stores balances by name and by id before names may repeat', async (t) => {
  const { state, account } = era(0n);
  t.equal(assetIssueRows(state), state.assets);
  addAsset(state, OWNER, account, NAME, 5n);
  t.same([account.asset.get('Coin'), account.assetV2.get('1000001')], [15n, 15n]);
  t.ok(reduceAsset(state, OWNER, account, NAME, 15n));
  t.same([account.asset.get('Coin'), account.assetV2.get('1000001')], [0n, 0n]);
});

t.test('stores balances only by id after names may repeat', async (t) => {
  const { state, account } = era(1n);
  t.equal(assetIssueRows(state), state.assetsV2);
  addAsset(state, OWNER, account, ID, 5n);
  t.same([account.asset.get('Coin'), account.assetV2.get('1000001')], [10n, 15n]);
  t.equal(assetBalance(state, OWNER, account, NAME), 0n, 'balances are no longer found by name');
});

t.test('accepts a positive amount up to the balance', async (t) => {
  const { state, account } = era(1n);
  const rows: readonly (readonly [amount: bigint, isThere: boolean])[] = [
    [-1n, false],
    [0n, false],
    [1n, true],
    [10n, true],
    [11n, false],
  ];
  for (const [amount, isThere] of rows) {
    t.equal(hasAssetAmount(state, account, ID, amount), isThere, `${amount}`);
    if (!isThere) t.notOk(reduceAsset(state, OWNER, account, ID, amount), `${amount} is not debited`);
  }
  t.equal(account.assetV2.get('1000001'), 10n);
});

t.test('fails with an unchecked exception for a name without a row, like Java', async (t) => {
  t.equal(namedAssetId(era(0n).state, NAME), '1000001');
  t.throws(() => namedAssetId(era(0n).state, utf8('None')), ChainError);
});
