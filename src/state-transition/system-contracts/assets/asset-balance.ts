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
 * Returns the table of assets: by name until names may repeat, then by id.
 * Reference: getAssetIssueStoreFinal.
 */
export function assetIssueRows(state: State): Table<AssetIssueContract> {
  return isNamedTokens(state) ? state.assets : state.assetsV2;
}

/** Returns a TRC10 balance. The key is a name until names may repeat, then an id. Reference: getAsset. */
export function assetBalance(state: State, address: Address, account: Account, key: Uint8Array): bigint {
  const text = toJavaText(key);
  return isNamedTokens(state) ? (account.asset.get(text) ?? 0n) : tokenBalance(state, address, account, text);
}

/**
 * Returns true if the account has the amount, which must be positive.
 * Reference: AccountCapsule.assetBalanceEnoughV2.
 */
export function hasAssetAmount(state: State, account: Account, key: Uint8Array, amount: bigint): boolean {
  return amount > 0n && amount <= assetBalance(state, toHex(account.address) as Address, account, key);
}

/** Sets a balance of an account that is loaded for writing. A balance by name also updates the balance by id. */
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

/** Adds an amount to a TRC10 balance. @throws {ArithmeticError} Reference: AccountCapsule.addAssetAmountV2 */
export function addAsset(state: State, address: Address, account: Account, key: Uint8Array, amount: bigint): void {
  setAssetBalance(state, address, account, key, addExact(assetBalance(state, address, account, key), amount));
}

/** Subtracts an amount. Returns false if the balance is too small. Reference: AccountCapsule.reduceAssetAmountV2. */
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

/** Returns the id of an asset by its name. */
export function namedAssetId(state: State, name: Uint8Array): string {
  const asset = state.assets.get(toHex(name));
  if (asset === undefined) throw unchecked('NullPointerException');
  return asset.id;
}
