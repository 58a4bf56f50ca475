import type { Account } from '../../log/codec/generated/messages.js';
import type { Address } from '../../log/domain/address.js';
import { toHex, toUtf8, utf8 } from '../../log/domain/bytes.js';
import type { State } from '../state/state.js';

/** TRC10 balance by token id; also of accounts whose balances have left the account row. Reference: getAssetV2. */
export function tokenBalance(state: State, address: Address, account: Account, id: string): bigint {
  const inRow = account.assetV2.get(id);
  if (inRow !== undefined || !account.assetOptimized) return inRow ?? 0n;
  return state.accountAssets.get(address + toHex(utf8(id))) ?? 0n;
}

/** All TRC10 balances of an account by id, zero ones of the account row included. Reference: getAssetMapV2. */
export function tokenBalances(state: State, address: Address, account: Account): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  if (account.assetOptimized) {
    for (const [key, amount] of state.accountAssets.range(address)) {
      balances.set(toUtf8(Buffer.from(key.slice(address.length), 'hex')), amount);
    }
  }
  for (const [id, amount] of account.assetV2) balances.set(id, amount);
  return balances;
}

/** Sets a balance of an account that is held for writing. */
export function setTokenBalance(state: State, address: Address, account: Account, id: string, amount: bigint): void {
  if (!account.assetOptimized) {
    account.assetV2.set(id, amount);
    return;
  }
  const key = address + toHex(utf8(id));
  if (amount === 0n) state.accountAssets.delete(key);
  else state.accountAssets.put(key, amount);
}

/** Whether TRC10 are still known by their names. */
export function isNamedTokens(state: State): boolean {
  return state.properties.get('ALLOW_SAME_TOKEN_NAME') === 0n;
}
