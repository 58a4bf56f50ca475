import {
  type Exchange,
  ExchangeCreateContract,
  ExchangeInjectContract,
  ExchangeTransactionContract,
  ExchangeWithdrawContract,
  MarketCancelOrderContract,
  type MarketOrder,
  MarketSellAssetContract,
} from '../../../../src/codec/generated/messages.js';
import { equalBytes } from '../../../../src/primitives/bytes.js';
import { isNamedTokens } from '../../../../src/state-transition/balances/tokens.js';
import { type Family, type Scene, TRX } from '../scene.js';
import { draft } from '../sealed-transaction.js';

/** Returns two assets, which are different in most cases. */
function twoTokens(scene: Scene): [Uint8Array, Uint8Array] {
  const first = scene.token();
  for (let tries = 0; tries < 4; tries++) {
    const second = scene.token();
    if (!equalBytes(first, second) || scene.random.chance(0.03)) return [first, second];
  }
  return [first, TRX];
}

export const createExchange: Family = (scene) => {
  const { random } = scene;
  const [firstTokenId, secondTokenId] = twoTokens(scene);
  const owner = scene.holder(random.chance(0.5) ? firstTokenId : secondTokenId);
  const share = random.chance(0.5) ? 10n : 100_000n;
  const fields = {
    ownerAddress: owner.bytes,
    firstTokenId,
    firstTokenBalance: random.amount(scene.balanceOf(owner, firstTokenId) / share),
    secondTokenId,
    secondTokenBalance: random.amount(scene.balanceOf(owner, secondTokenId) / share),
  };
  return draft('ExchangeCreateContract', ExchangeCreateContract, fields, owner);
};

/** Returns an exchange, with the token and the balance of one side and the balance of the `other` side. */
function side({
  state,
  random,
}: Scene): { exchange: Exchange; token: Uint8Array; balance: bigint; other: bigint } | undefined {
  const rows = [...(isNamedTokens(state) ? state.exchanges : state.exchangesV2).range('')].map(([, row]) => row);
  if (rows.length === 0) return undefined;
  const exchange = random.pick(rows);
  const { firstTokenId, firstTokenBalance, secondTokenId, secondTokenBalance } = exchange;
  return random.chance(0.5)
    ? { exchange, token: firstTokenId, balance: firstTokenBalance, other: secondTokenBalance }
    : { exchange, token: secondTokenId, balance: secondTokenBalance, other: firstTokenBalance };
}

export const injectExchange: Family = (scene) => {
  const { random } = scene;
  const found = side(scene);
  if (found === undefined) return undefined;
  const { exchange, token, balance } = found;
  const owner = scene.keyOf(exchange.creatorAddress);
  const tokenId = random.chance(0.97) ? token : scene.token();
  const quant = random.amount(random.chance(0.5) ? scene.balanceOf(owner, tokenId) / 10n : balance);
  const fields = { ownerAddress: owner.bytes, exchangeId: exchange.exchangeId, tokenId, quant };
  return draft('ExchangeInjectContract', ExchangeInjectContract, fields, owner);
};

export const withdrawExchange: Family = (scene) => {
  const { random } = scene;
  const found = side(scene);
  if (found === undefined) return undefined;
  const { exchange, token, balance } = found;
  const owner = scene.keyOf(exchange.creatorAddress);
  const tokenId = random.chance(0.97) ? token : scene.token();
  const quant = random.amount(balance / (random.chance(0.7) ? 10n : 1n));
  const exchangeId = random.chance(0.99) ? exchange.exchangeId : exchange.exchangeId + 77n;
  const fields = { ownerAddress: owner.bytes, exchangeId, tokenId, quant };
  return draft('ExchangeWithdrawContract', ExchangeWithdrawContract, fields, owner);
};

export const tradeExchange: Family = (scene) => {
  const { random } = scene;
  const found = side(scene);
  if (found === undefined) return undefined;
  const { exchange, token, balance, other } = found;
  const owner = scene.holder(token);
  const tokenId = random.chance(0.98) ? token : scene.token();
  const mine = scene.balanceOf(owner, tokenId);
  // The amount may be so large compared with the exchange that the rounded result exceeds the balance of the other
  // side.
  const huge = random.chance(0.15) ? mine : mine / 10n;
  const quant = random.amount(random.chance(0.7) && balance < mine ? balance : huge);
  const fair = balance + quant <= 0n ? 1n : (other * quant) / (balance + quant);
  const expected = random.chance(0.6) ? 1n : fair - random.upTo(fair / 20n) + (random.chance(0.1) ? 1n : 0n);
  const fields = { ownerAddress: owner.bytes, exchangeId: exchange.exchangeId, tokenId, quant, expected };
  return draft('ExchangeTransactionContract', ExchangeTransactionContract, fields, owner);
};

export const sellAsset: Family = (scene) => {
  const [sellTokenId, buyTokenId] = soldAndBought(scene);
  const owner = scene.holder(sellTokenId);
  const [sellTokenQuantity, buyTokenQuantity] = priceOf(scene, scene.balanceOf(owner, sellTokenId));
  const fields = { ownerAddress: owner.bytes, sellTokenId, sellTokenQuantity, buyTokenId, buyTokenQuantity };
  return draft('MarketSellAssetContract', MarketSellAssetContract, fields, owner);
};

const ordersOf = ({ state }: Scene): MarketOrder[] => [...state.marketOrders.range('')].map(([, row]) => row);
const isOpen = ({ state }: MarketOrder): boolean => state === 0;

/**
 * Returns the asset to sell and the asset to buy. Often they are those of an open order, in the same or in the opposite
 * direction.
 */
function soldAndBought(scene: Scene): [Uint8Array, Uint8Array] {
  const { random } = scene;
  const open = random.chance(0.5) ? ordersOf(scene).filter(isOpen) : [];
  if (open.length === 0) return twoTokens(scene);
  const { sellTokenId, buyTokenId } = random.pick(open);
  return random.chance(0.6) ? [buyTokenId, sellTokenId] : [sellTokenId, buyTokenId];
}

/**
 * Returns a price, in most cases of small numbers, so that orders match. With some prices, a small remainder of an
 * order buys nothing.
 * @returns the amount to sell and the amount to buy
 */
function priceOf({ random }: Scene, balance: bigint): [bigint, bigint] {
  const kind = random.below(10);
  if (kind < 4) return [BigInt(random.between(1, 400)), BigInt(random.between(1, 400))];
  if (kind < 6) return [BigInt(random.between(1, 3)), BigInt(random.between(2, 9))];
  if (kind < 8) return [BigInt(random.between(2, 30)), BigInt(random.between(1, 3))];
  const sold = random.amount(balance / 50n);
  return [sold, random.amount(sold * 2n)];
}

export const cancelOrder: Family = (scene) => {
  const { random } = scene;
  const orders = ordersOf(scene);
  if (orders.length === 0) return undefined;
  const open = orders.filter(isOpen);
  const { orderId, ownerAddress } = random.pick(open.length > 0 && random.chance(0.9) ? open : orders);
  const fields = { ownerAddress, orderId: random.chance(0.97) ? orderId : random.bytes(32) };
  return draft('MarketCancelOrderContract', MarketCancelOrderContract, fields, scene.keyOf(ownerAddress));
};
