import type { Account, AssetIssueContract } from '../../../codec/generated/messages.js';
import { toJavaText } from '../../../java-compat/text.js';
import type { Address } from '../../../primitives/address.js';
import { toHex } from '../../../primitives/bytes.js';
import { addExact } from '../../../primitives/int64.js';
import { isNamedTokens, setTokenBalance, tokenBalance } from '../../balances/tokens.js';
import { unchecked } from '../../errors.js';
import type { State } from '../../state/state.js';
import type { Table } from '../../state/table.js';

/**
 * Returns the table of assets in use: the table by name before `ALLOW_SAME_TOKEN_NAME`, and the table by id afterwards.
 * Reference: getAssetIssueStoreFinal.
 */
export function assetIssueRows(state: State): Table<AssetIssueContract> {
  return isNamedTokens(state) ? state.assets : state.assetsV2;
}

/**
 * Returns a TRC10 balance. `key` is a name before `ALLOW_SAME_TOKEN_NAME`, and an id afterwards. Reference: getAsset.
 */
export function assetBalance(state: State, address: Address, account: Account, key: Uint8Array): bigint {
  const text = toJavaText(key);
  return isNamedTokens(state) ? (account.asset.get(text) ?? 0n) : tokenBalance(state, address, account, text);
}

/**
 * Returns true if the amount is positive and the account's balance is at least the amount. Reference:
 * AccountCapsule.assetBalanceEnoughV2.
 */
export function hasAssetAmount(state: State, account: Account, key: Uint8Array, amount: bigint): boolean {
  return amount > 0n && amount <= assetBalance(state, toHex(account.address) as Address, account, key);
}

/** Sets a TRC10 balance of an account that is loaded for writing. If the key is a name, also sets the balance by id. */
export function setAssetBalance(
  state: State,
  address: Address,
  account: Account,
  key: Uint8Array,
  amount: bigint,
): void {
  if (!isNamedTokens(state)) {
    setTokenBalance(state, address, account, toJavaText(key), amount);
    return;
  }
  account.asset.set(toJavaText(key), amount);
  setTokenBalance(state, address, account, namedAssetId(state, key), amount);
}

/**
 * Adds an amount to a TRC10 balance. Reference: AccountCapsule.addAssetAmountV2.
 * @throws {ArithmeticError} the balance would exceed 64 bits
 */
export function addAsset(state: State, address: Address, account: Account, key: Uint8Array, amount: bigint): void {
  setAssetBalance(state, address, account, key, addExact(assetBalance(state, address, account, key), amount));
}

/**
 * Subtracts an amount from a TRC10 balance. Returns false if the amount is not positive, or exceeds the balance.
 * Reference: AccountCapsule.reduceAssetAmountV2.
 */
export function reduceAsset(
  state: State,
  address: Address,
  account: Account,
  key: Uint8Array,
  amount: bigint,
): boolean {
  const balance = assetBalance(state, address, account, key);
  if (amount <= 0n || amount > balance) return false;
  setAssetBalance(state, address, account, key, balance - amount);
  return true;
}

/** Returns the id of the asset with a name. @throws {ChainError} NullPointerException: the asset does not exist */
export function namedAssetId(state: State, name: Uint8Array): string {
  const asset = state.assets.get(toHex(name));
  if (asset === undefined) throw unchecked('NullPointerException');
  return asset.id;
}
