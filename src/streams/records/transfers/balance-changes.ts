import { Account } from '../../../codec/generated/messages.js';
import { ADDRESS_BYTES } from '../../../primitives/address.js';
import { concatBytes, fromHex, toHex, toInt64, toUtf8, utf8 } from '../../../primitives/bytes.js';
import { accounts } from '../../../projections/accounts.js';
import type { RowChange, StateReader } from '../../../projections/state/state-reader.js';
import { storeId } from '../../../projections/state/stores.js';
import { TRX } from './movement.js';

const ACCOUNT = storeId('account');
const ACCOUNT_ASSET = storeId('account-asset');

/** Balance of an account (hex) in TRX or a TRC10 asset, before and after a block. */
export interface BalanceChange {
  readonly account: string;
  readonly token: string;
  before: bigint;
  after: bigint;
}

/** Returns the key of a balance in maps. */
export function balanceKey(account: string, token: string): string {
  return `${account} ${token}`;
}

/**
 * Returns the balances that a block changed, by {@link balanceKey}, in the order of the rows. The balance of a TRC10
 * asset is either in the account row or in a row of its own, never in both.
 */
export function balanceChanges(rows: readonly RowChange[]): ReadonlyMap<string, BalanceChange> {
  const changes = new Map<string, BalanceChange>();
  const add = (account: string, token: string, before: bigint, after: bigint): void => {
    if (before === after) return;
    const key = balanceKey(account, token);
    const known = changes.get(key);
    if (known === undefined) changes.set(key, { account, token, before, after });
    else {
      // If the block moved the asset from the account row to a separate row, both row changes belong to one balance.
      known.before += before;
      known.after += after;
    }
  };
  for (const { store, key, before, after } of rows) {
    if (store === ACCOUNT) {
      const [old, now] = [accountOf(before), accountOf(after)];
      const account = toHex(key);
      add(account, TRX, old.balance, now.balance);
      for (const id of new Set([...old.assetV2.keys(), ...now.assetV2.keys()]))
        add(account, id, old.assetV2.get(id) ?? 0n, now.assetV2.get(id) ?? 0n);
    } else if (store === ACCOUNT_ASSET) {
      const [account, id] = assetKey(key);
      add(account, id, before === undefined ? 0n : toInt64(before), after === undefined ? 0n : toInt64(after));
    }
  }
  return changes;
}

function accountOf(row: Uint8Array | undefined): Account {
  return row === undefined ? new Account() : Account.decode(row);
}

function assetKey(key: Uint8Array): readonly [account: string, id: string] {
  return [toHex(key.subarray(0, ADDRESS_BYTES)), toUtf8(key.subarray(ADDRESS_BYTES))];
}

/** A balance that is not zero. */
export interface Balance {
  readonly account: string;
  readonly token: string;
  readonly amount: bigint;
}

/** Iterates over the balances in TRX and TRC10 assets of all accounts in a state, or of one account. */
export function* balancesIn(view: StateReader, address?: Uint8Array): Iterable<Balance> {
  const { range } = accounts.at(view);
  const prefix = address && { prefix: address };
  for (const { key, row } of range('account', prefix)) {
    const account = toHex(key);
    if (row.balance !== 0n) yield { account, token: TRX, amount: row.balance };
    for (const [token, amount] of row.assetV2) if (amount !== 0n) yield { account, token, amount };
  }
  for (const { key, row } of range('account-asset', prefix)) {
    const [account, token] = assetKey(key);
    if (row !== 0n) yield { account, token, amount: row };
  }
}

/** Returns the balance of an account (hex) in TRX or a TRC10 asset. */
export function balanceIn(view: StateReader, account: string, token: string): bigint {
  const rows = accounts.at(view);
  const address = fromHex(account);
  const row = rows.account(address);
  if (token === TRX) return row?.balance ?? 0n;
  return row?.assetV2.get(token) ?? rows.get('account-asset', concatBytes(address, utf8(token))) ?? 0n;
}
