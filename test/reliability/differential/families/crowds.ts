import { MarketSellAssetContract, UnfreezeBalanceV2Contract } from '../../../../src/codec/generated/messages.js';
import { itemAt } from '../../../../src/primitives/assert.js';
import { type Actor, rich } from '../actors.js';
import { proxyCall } from '../proxy-code.js';
import { type Family, type Scene, TRX } from '../scene.js';
import { draft } from '../sealed-transaction.js';
import { trigger } from './contracts.js';

/**
 * Returns one of the first two assets and its largest holder. The holder rarely changes, so the orders of many blocks
 * have the same asset and the same owner.
 */
function soldToken(scene: Scene): [Actor, Uint8Array] | undefined {
  const tokens = scene.tokens().slice(0, 2);
  if (tokens.length === 0) return undefined;
  const token = scene.random.pick(tokens);
  const owner = rich.reduce((one, other) =>
    scene.balanceOf(other, token) > scene.balanceOf(one, token) ? other : one,
  );
  return [owner, token];
}

/**
 * Places one of many small orders at few prices. After some blocks, their number exceeds the limit of open orders of
 * an account, and the limit of matches of one order.
 */
export const offerBit: Family = (scene) => {
  const { random } = scene;
  const found = soldToken(scene);
  if (found === undefined) return undefined;
  const [owner, sellTokenId] = found;
  const prices = random.chance(0.7) ? [50n, 51n, 75n] : [20n, 333n];
  const sellTokenQuantity = BigInt(random.between(1, 3));
  const buyTokenQuantity = sellTokenQuantity * random.pick(prices) + BigInt(random.below(2));
  const fields = { ownerAddress: owner.bytes, sellTokenId, sellTokenQuantity, buyTokenId: TRX, buyTokenQuantity };
  return draft('MarketSellAssetContract', MarketSellAssetContract, fields, owner);
};

/**
 * Buys the assets of many orders of `offerBit` at once. The amount that remains in the last order is often too small
 * to buy anything.
 */
export const buyBits: Family = (scene) => {
  const { random } = scene;
  const [, buyTokenId] = soldToken(scene) ?? [];
  if (buyTokenId === undefined) return undefined;
  const owner = random.pick(rich);
  const sellTokenQuantity = BigInt(random.between(20, random.pick([200, 1500, 9000])));
  const buyTokenQuantity = random.chance(0.8) ? 1n : sellTokenQuantity / BigInt(random.between(20, 80)) + 1n;
  const fields = { ownerAddress: owner.bytes, sellTokenId: TRX, sellTokenQuantity, buyTokenId, buyTokenQuantity };
  return draft('MarketSellAssetContract', MarketSellAssetContract, fields, owner);
};

/** Unfreezes a small part of a stake. Many such transactions exceed the limit of pending unfreezings. */
export const unfreezeBit: Family = (scene) => {
  const { random } = scene;
  const proxy = random.chance(0.4) ? scene.proxy() : undefined;
  if (proxy !== undefined) return trigger(scene, proxy, proxyCall('unfreezeV2', [BigInt(random.below(2)), 1n]));
  const owner = itemAt(rich, 0);
  const frozen = (scene.account(owner)?.frozenV2 ?? []).filter(({ amount }) => amount > 0n);
  if (frozen.length === 0) return undefined;
  const fields = { ownerAddress: owner.bytes, unfreezeBalance: 1n, resource: random.pick(frozen).type };
  return draft('UnfreezeBalanceV2Contract', UnfreezeBalanceV2Contract, fields, owner);
};
