import { AssetIssueContract } from '../../../src/codec/generated/messages.js';
import { toHex, utf8 } from '../../../src/primitives/bytes.js';
import type { State } from '../../../src/state-transition/state/state.js';
import { marketSellAsset } from '../../../src/state-transition/system-contracts/market/market-sell-asset.js';
import { addAccount, bytesOf, run, stateWith } from './state-with.js';

export const [MAKER, TAKER] = [1, 2];
export const TRX = utf8('_');
export const TOKEN = utf8('1000001');

/**
 * Returns a state with an enabled market. The maker has 1,000,000 units of the token, and the taker has 1,000,000 SUN.
 */
export function market(): State {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n, ALLOW_MARKET_TRANSACTION: 1n });
  state.assetsV2.put(toHex(TOKEN), new AssetIssueContract());
  addAccount(state, MAKER, 0n, { 1000001: 1_000_000n });
  addAccount(state, TAKER, 1_000_000n);
  return state;
}

/**
 * Places an order of the maker that sells the token for TRX.
 * @returns the id of the order
 */
export function offer(state: State, sell: bigint, buy: bigint): Uint8Array {
  const quantities = { sellTokenQuantity: sell, buyTokenQuantity: buy };
  const order = { ownerAddress: bytesOf(MAKER), sellTokenId: TOKEN, buyTokenId: TRX, ...quantities };
  return run(marketSellAsset, state, order).orderId;
}

/** Returns an order that sells TRX for the token. */
export function bid(owner: number, sell: bigint, buy: bigint) {
  const quantities = { sellTokenQuantity: sell, buyTokenQuantity: buy };
  return { ownerAddress: bytesOf(owner), sellTokenId: TRX, buyTokenId: TOKEN, ...quantities };
}
