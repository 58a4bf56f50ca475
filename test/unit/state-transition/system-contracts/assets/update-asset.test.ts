import t from 'tap';
import { AssetIssueContract } from '../../../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../../../src/primitives/bytes.js';
import { updateAsset } from '../../../../../src/state-transition/system-contracts/assets/update-asset.js';
import { refusalsOf } from '../../../../support/vm/refusals.js';
import { addAccount, bytesOf, run, stateWith } from '../../../../support/vm/state-with.js';

const OWNER = 1;
const [NAME, ID] = [toHex(utf8('Coin')), toHex(utf8('1000001'))];
const DAY_LIMIT = 57_600_000_000n;

function fresh(sameNames = 1n) {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: sameNames });
  const issued = { assetIssuedID: utf8('1000001'), assetIssuedName: utf8('Coin') };
  Object.assign(addAccount(state, OWNER), issued);
  state.assets.put(NAME, new AssetIssueContract());
  state.assetsV2.put(ID, new AssetIssueContract());
  return state;
}

const accepted = {
  ownerAddress: bytesOf(OWNER),
  url: utf8('new'),
  description: utf8('words'),
  newLimit: 3n,
  newPublicLimit: DAY_LIMIT - 1n,
};

t.test('rejects an asset update with the text of the first broken rule', async (t) => {
  refusalsOf(t, updateAsset, {
    fresh,
    accepted,
    rows: [
      { text: 'Invalid ownerAddress', fields: { ownerAddress: new Uint8Array(20) } },
      { text: 'Account does not exist', fields: { ownerAddress: bytesOf(9) } },
      { text: 'Account has not issued any asset', given: (state) => void addAccount(state, OWNER) },
      { text: 'Asset is not existed in AssetIssueV2Store', given: (state) => state.assetsV2.delete(ID) },
      {
        text: 'Asset is not existed in AssetIssueStore',
        given: (state) => {
          state.properties.set('ALLOW_SAME_TOKEN_NAME', 0n);
          state.assets.delete(NAME);
        },
      },
      { text: 'Invalid url', fields: { url: utf8('') } },
      { text: 'Invalid description', fields: { description: new Uint8Array(201) } },
      { text: 'Invalid FreeAssetNetLimit', fields: { newLimit: -1n } },
      { text: 'Invalid FreeAssetNetLimit', fields: { newLimit: DAY_LIMIT } },
      { text: 'Invalid PublicFreeAssetNetLimit', fields: { newPublicLimit: DAY_LIMIT } },
    ],
  });
});

t.test('updates the row by id, and by name too before names may repeat', async (t) => {
  for (const [sameNames, byName] of [
    [0n, 'new'],
    [1n, ''],
  ] as const) {
    const state = fresh(sameNames);
    run(updateAsset, state, accepted);
    t.same(state.assetsV2.get(ID)?.url, utf8('new'));
    t.same(
      [state.assetsV2.get(ID)?.freeAssetNetLimit, state.assetsV2.get(ID)?.publicFreeAssetNetLimit],
      [3n, DAY_LIMIT - 1n],
    );
    t.same(state.assets.get(NAME)?.url, utf8(byName));
  }
});
