import { Exchange } from '../../../src/codec/generated/messages.js';
import { utf8 } from '../../../src/primitives/bytes.js';
import { release472 } from '../../../src/state-transition/releases/release-4.7.2.js';
import type { State } from '../../../src/state-transition/state/state.js';
import { exchangeKey } from '../../../src/state-transition/system-contracts/exchange/exchange-pool.js';
import { addAccount, bytesOf, stateWith } from './state-with.js';

export const [POOL_OWNER, OTHER] = [1, 2];
export const TOKEN = '1000001';
export const POOL_LIMIT = 1_000_000_000_000_000n;

/**
 * Returns a state with exchange 1, which trades TRX for a token. The creator of the exchange and another account have a
 * million of both.
 * @param balances fields of the exchange that replace the defaults
 */
export function chainWithPool(balances: Partial<Exchange> = {}, release = release472): State {
  const state = stateWith({ ALLOW_SAME_TOKEN_NAME: 1n }, release);
  for (const fill of [POOL_OWNER, OTHER]) addAccount(state, fill, 1_000_000n, { [TOKEN]: 1_000_000n });
  const pool = {
    exchangeId: 1n,
    creatorAddress: bytesOf(POOL_OWNER),
    firstTokenId: utf8('_'),
    firstTokenBalance: 10_000n,
    secondTokenId: utf8(TOKEN),
    secondTokenBalance: 20_000n,
  };
  state.exchangesV2.put(exchangeKey(1n), Object.assign(new Exchange(), pool, balances));
  return state;
}

export function poolBalances(state: State): readonly (bigint | undefined)[] {
  const pool = state.exchangesV2.get(exchangeKey(1n));
  return [pool?.firstTokenBalance, pool?.secondTokenBalance];
}
