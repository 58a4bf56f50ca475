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
import { oddTextBytes } from '../odd-text.js';
import type { Family, Scene } from '../scene.js';
import { draft } from '../sealed-transaction.js';

export const issueAsset: Family = (scene) => {
  const { random, headMs } = scene;
  const fresh = [...rich, ...witnesses].filter((actor) => scene.account(actor)?.assetIssuedName.length === 0);
  const owner = fresh.length > 0 && random.chance(0.9) ? random.pick(fresh) : scene.owner();
  const totalSupply = random.chance(0.9) ? random.upTo(10n ** 17n) + 1000n : random.amount(10n ** 18n);
  const frozenSupply = Array.from({ length: random.chance(0.5) ? 0 : random.between(1, 11) }, () =>
    Object.assign(new AssetIssueContractFrozenSupply(), {
      frozenAmount: random.amount(totalSupply / 20n),
      frozenDays: BigInt(random.chance(0.9) ? random.between(1, 4) : random.pick([0, 3652, 3653, -1])),
    }),
  );
  const start = headMs + BigInt(random.pick([60_000, 3_000, 1, 0, 30_000]));
  const fields = {
    ownerAddress: owner.bytes,
    name: utf8(
      random.chance(0.95)
        ? `tok${random.below(12)}`
        : random.pick(['', 'trx', 'a b', 'TRX', 'x'.repeat(32), 'x'.repeat(33), 'tok\u00e9', 'del\u007f']),
    ),
    abbr: utf8(random.pick(['', 'abbr', 'a b', 'TRX', 'q'.repeat(6)])),
    totalSupply,
    frozenSupply,
    trxNum: random.chance(0.9) ? random.between(1, 1000) : random.pick([0, -1, 2_147_483_647]),
    precision: random.chance(0.9) ? random.below(7) : random.pick([7, -1]),
    num: random.chance(0.9) ? random.between(1, 1000) : random.pick([0, -1, 2_147_483_647]),
    startTime: start,
    endTime:
      start +
      BigInt(random.chance(0.9) ? random.between(1, random.pick([5_000_000, 2_000_000_000])) : random.pick([0, -5])),
    description: random.chance(0.3) ? oddTextBytes(random, 200) : utf8('d'.repeat(random.pick([0, 5, 200, 201]))),
    url: random.chance(0.2)
      ? oddTextBytes(random, 256)
      : utf8('u'.repeat(random.pick([1, 9, 256, 257, 0, 5, 5, 5, 5, 5, 5]))),
    freeAssetNetLimit: random.amount(100_000n),
    publicFreeAssetNetLimit: random.amount(200_000n),
    publicFreeAssetNetUsage: random.chance(0.03) ? 1n : 0n,
    voteScore: random.below(3),
  };
  return draft('AssetIssueContract', AssetIssueContract, fields, owner);
};

export const transferAsset: Family = (scene) => {
  const assetName = scene.token();
  const owner = scene.holder(assetName);
  const { random } = scene;
  const amount = random.amount(scene.balanceOf(owner, assetName) / (random.chance(0.9) ? 20n : 1n));
  const fields = { ownerAddress: owner.bytes, assetName, toAddress: scene.target(), amount };
  return draft('TransferAssetContract', TransferAssetContract, fields, owner);
};

const issued = ({ state, random }: Scene): AssetIssueContract | undefined => {
  const rows = [...assetIssueRows(state).range('')].map(([, row]) => row);
  return rows.length === 0 ? undefined : random.pick(rows);
};

export const participate: Family = (scene) => {
  const owner = scene.owner();
  const asset = issued(scene);
  if (asset === undefined) return undefined;
  const assetName = scene.state.properties.isOn('ALLOW_SAME_TOKEN_NAME') ? utf8(asset.id) : asset.name;
  const amount = scene.random.amount(scene.balance(owner) / 100_000n);
  const toAddress = scene.random.chance(0.95) ? asset.ownerAddress : scene.target();
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
  const { random } = scene;
  const ownerAddress = random.chance(0.8) ? issued(scene)?.ownerAddress : scene.owner().bytes;
  if (ownerAddress === undefined) return undefined;
  const fields = {
    ownerAddress,
    description: random.chance(0.3) ? oddTextBytes(random, 200) : utf8('e'.repeat(random.pick([0, 4, 200, 201]))),
    url: random.chance(0.2) ? oddTextBytes(random, 256) : utf8('w'.repeat(random.pick([0, 1, 4, 256, 257]))),
    newLimit: random.amount(100_000n),
    newPublicLimit: random.amount(100_000n),
  };
  return draft('UpdateAssetContract', UpdateAssetContract, fields, scene.keyOf(ownerAddress));
};
