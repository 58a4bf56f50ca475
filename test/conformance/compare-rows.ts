import { messageOf } from '../../src/codec/descriptor.js';
import { Account } from '../../src/codec/generated/messages.js';
import { Writer } from '../../src/codec/writer.js';
import { toHex } from '../../src/primitives/bytes.js';
import { sortedValue } from '../../src/projections/state/map-order.js';
import { findStoreId } from '../../src/projections/state/stores.js';

/** Rows by store, then by key (hex). The value is hex, or null for a deleted row. */
export type Rows = Record<string, Record<string, string | null>>;

export interface RowDifference {
  readonly store: string;
  readonly key: string;
  readonly expected: string | null | undefined;
  readonly actual: string | null | undefined;
}

/** Message type of stores whose values contain maps. Their values are decoded before the comparison. */
const MESSAGE_OF_STORE: Record<string, string> = {
  'asset-issue': 'AssetIssueContract',
  'asset-issue-v2': 'AssetIssueContract',
  proposal: 'Proposal',
};

/**
 * Returns a row value in a form in which equal states have equal texts. For example, maps are sorted, and token
 * balances are removed from accounts, because java-tron may also store them in separate rows.
 */
export function normalise(store: string, key: string, value: string): string {
  if (store === 'account') return normalAccount(key, value, key.length === 42);
  if (store === 'delegation' && Buffer.from(key, 'hex').toString('latin1').endsWith('account-vote')) {
    return normalAccount(key, value, true);
  }
  const type = MESSAGE_OF_STORE[store];
  if (type === undefined) return value;
  const message = messageOf(`protocol.${type}`)!;
  return sorted(store, key, Writer.encode(message.decode(Buffer.from(value, 'hex')), message));
}

/**
 * Returns an account in its normal form. Token balances are removed if `dropsAssets` is true, because {@link
 * ShadowState.tokens} compares them.
 */
function normalAccount(key: string, value: string, dropsAssets: boolean): string {
  const account = Account.decode(Buffer.from(value, 'hex'));
  if (dropsAssets) {
    account.assetV2 = new Map();
    account.asset = new Map();
  }
  account.assetOptimized = false;
  return sorted('account', key, Writer.encode(account, Account));
}

function sorted(store: string, key: string, value: Uint8Array): string {
  return toHex(sortedValue(findStoreId(store)!, Buffer.from(key, 'hex'), value));
}

/** Returns the token balances in an account row, by token name and by token id. */
export function accountTokens(value: string): {
  byName: Map<string, bigint>;
  byId: Map<string, bigint>;
  isOptimized: boolean;
} {
  const account = Account.decode(Buffer.from(value, 'hex'));
  return { byName: account.asset, byId: account.assetV2, isOptimized: account.assetOptimized };
}
