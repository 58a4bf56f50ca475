import {
  AssetIssueContract,
  AssetIssueContractFrozenSupply,
  ParticipateAssetIssueContract,
  TransferAssetContract,
  UnfreezeAssetContract,
  UpdateAssetContract,
} from '../../../../src/codec/generated/messages.js';
import { utf8 } from '../../../../src/primitives/bytes.js';
import { assetIssueRows } from '../../../../src/state-transition/system-contracts/assets/asset-balance.js';
import { rich, witnesses } from '../actors.js';
import type { Family, Scene } from '../scene.js';
import { draft } from '../sealed-transaction.js';

export const issueAsset: Family = (scene) => {
  const { dice, headMs } = scene;
  const fresh = [...rich, ...witnesses].filter((actor) => scene.account(actor)?.assetIssuedName.length === 0);
  const owner = fresh.length > 0 && dice.chance(0.9) ? dice.pick(fresh) : scene.owner();
  const totalSupply = dice.chance(0.9) ? dice.upTo(10n ** 17n) + 1000n : dice.amount(10n ** 18n);
  const frozenSupply = Array.from({ length: dice.chance(0.5) ? 0 : dice.between(1, 11) }, () =>
    Object.assign(new AssetIssueContractFrozenSupply(), {
      frozenAmount: dice.amount(totalSupply / 20n),
      frozenDays: BigInt(dice.chance(0.9) ? dice.between(1, 4) : dice.pick([0, 3652, 3653, -1])),
    }),
  );
  const start = headMs + BigInt(dice.pick([60_000, 3_000, 1, 0, 30_000]));
  const fields = {
    ownerAddress: owner.bytes,
    name: utf8(
      dice.chance(0.95)
        ? `tok${dice.below(12)}`
        : dice.pick(['', 'trx', 'a b', 'TRX', 'x'.repeat(32), 'x'.repeat(33), 'tok\u00e9', 'del\u007f']),
    ),
    abbr: utf8(dice.pick(['', 'abbr', 'a b', 'TRX', 'q'.repeat(6)])),
    totalSupply,
    frozenSupply,
    trxNum: dice.chance(0.9) ? dice.between(1, 1000) : dice.pick([0, -1, 2_147_483_647]),
    precision: dice.chance(0.9) ? dice.below(7) : dice.pick([7, -1]),
    num: dice.chance(0.9) ? dice.between(1, 1000) : dice.pick([0, -1, 2_147_483_647]),
    startTime: start,
    endTime:
      start + BigInt(dice.chance(0.9) ? dice.between(1, dice.pick([5_000_000, 2_000_000_000])) : dice.pick([0, -5])),
    description: utf8('d'.repeat(dice.pick([0, 5, 200, 201]))),
    url: utf8('u'.repeat(dice.pick([1, 9, 256, 257, 0, 5, 5, 5, 5, 5, 5]))),
    freeAssetNetLimit: dice.amount(100_000n),
    publicFreeAssetNetLimit: dice.amount(200_000n),
    publicFreeAssetNetUsage: dice.chance(0.03) ? 1n : 0n,
    voteScore: dice.below(3),
  };
  return draft('AssetIssueContract', AssetIssueContract, fields, owner);
};

export const transferAsset: Family = (scene) => {
  const assetName = scene.token();
  const owner = scene.holder(assetName);
  const { dice } = scene;
  const amount = dice.amount(scene.held(owner, assetName) / (dice.chance(0.9) ? 20n : 1n));
  const fields = { ownerAddress: owner.bytes, assetName, toAddress: scene.target(), amount };
  return draft('TransferAssetContract', TransferAssetContract, fields, owner);
};

const issued = ({ state, dice }: Scene): AssetIssueContract | undefined => {
  const rows = [...assetIssueRows(state).range('')].map(([, row]) => row);
  return rows.length === 0 ? undefined : dice.pick(rows);
};

export const participate: Family = (scene) => {
  const owner = scene.owner();
  const asset = issued(scene);
  if (asset === undefined) return undefined;
  const assetName = scene.state.properties.isOn('ALLOW_SAME_TOKEN_NAME') ? utf8(asset.id) : asset.name;
  const amount = scene.dice.amount(scene.balance(owner) / 100_000n);
  const toAddress = scene.dice.chance(0.95) ? asset.ownerAddress : scene.target();
  const fields = { ownerAddress: owner.bytes, toAddress, assetName, amount };
  return draft('ParticipateAssetIssueContract', ParticipateAssetIssueContract, fields, owner);
};

export const unfreezeAsset: Family = (scene) => {
  const { headMs } = scene;
  const isDue = ({ expireTime }: { readonly expireTime: bigint }): boolean => expireTime <= headMs;
  const { bytes: ownerAddress } = scene.ownerWho(({ frozenSupply }) => frozenSupply.some(isDue));
  return draft('UnfreezeAssetContract', UnfreezeAssetContract, { ownerAddress }, scene.keyOf(ownerAddress));
};

export const updateAsset: Family = (scene) => {
  const { dice } = scene;
  const ownerAddress = dice.chance(0.8) ? issued(scene)?.ownerAddress : scene.owner().bytes;
  if (ownerAddress === undefined) return undefined;
  const fields = {
    ownerAddress,
    description: utf8('e'.repeat(dice.pick([0, 4, 200, 201]))),
    url: utf8('w'.repeat(dice.pick([0, 1, 4, 256, 257]))),
    newLimit: dice.amount(100_000n),
    newPublicLimit: dice.amount(100_000n),
  };
  return draft('UpdateAssetContract', UpdateAssetContract, fields, scene.keyOf(ownerAddress));
};
