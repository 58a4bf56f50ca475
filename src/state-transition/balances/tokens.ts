import type { Account } from '../../codec/generated/messages.js';
import type { Address } from '../../primitives/address.js';
import { toHex, toUtf8, utf8 } from '../../primitives/bytes.js';
import type { State } from '../state/state.js';

/** Every token id is above this number. Reference: VMConstant.MIN_TOKEN_ID. */
export const TOKEN_ID_MIN = 1_000_000n;
/** Error text if a program uses an invalid token id. Reference: Program.checkTokenId. */
export const INVALID_TOKEN = 'validateForSmartContract failure:not valid token id';

/** Returns a TRC10 balance by token id, from the account row or from `accountAssets`. Reference: getAssetV2. */
export function tokenBalance(state: State, address: Address, account: Account, id: string): bigint {
  const inRow = account.assetV2.get(id);
  if (inRow !== undefined || !account.assetOptimized) return inRow ?? 0n;
  return state.accountAssets.get(address + toHex(utf8(id))) ?? 0n;
}

/**
 * Returns all TRC10 balances by token id. Includes zero balances in the account row, and zero balances that java-tron
 * has not deleted from its disk yet. Reference: getAssetMapV2.
 */
export function tokenBalances(state: State, address: Address, account: Account): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  if (account.assetOptimized) {
    for (const [key, amount] of state.accountAssets.range(address)) balances.set(idOf(address, key), amount);
    const flushed = state.flushedNumber?.() ?? 0;
    for (const [key, block] of state.zeroTokens.range(address))
      if (block > flushed) balances.set(idOf(address, key), 0n);
  }
  for (const [id, amount] of account.assetV2) balances.set(id, amount);
  return balances;
}

/** Sets the balance of a token. The account must be loaded for writing. */
export function setTokenBalance(state: State, address: Address, account: Account, id: string, amount: bigint): void {
  if (!account.assetOptimized) {
    account.assetV2.set(id, amount);
    return;
  }
  const key = address + toHex(utf8(id));
  if (amount === 0n) {
    state.accountAssets.delete(key);
    state.zeroTokens.put(key, state.blockNumber);
  } else {
    if (!state.accountAssets.has(key)) state.zeroTokens.delete(key);
    state.accountAssets.put(key, amount);
  }
}

function idOf(address: Address, key: string): string {
  return toUtf8(Buffer.from(key.slice(address.length), 'hex'));
}

/** Returns true if TRC10 tokens are still identified by name. */
export function isNamedTokens(state: State): boolean {
  return state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n;
}
