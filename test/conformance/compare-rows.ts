import { messageOf } from '../../src/codec/descriptor.js';
import { Account } from '../../src/codec/generated/messages.js';
import { Writer } from '../../src/codec/writer.js';
import { toHex } from '../../src/primitives/bytes.js';
import { sortedValue } from '../../src/projections/state/map-order.js';
import { findStoreId } from '../../src/projections/state/stores.js';

/** store → key (hex) → value (hex), or null when the row was deleted. */
export type Rows = Record<string, Record<string, string | null>>;

export interface RowDifference {
  readonly store: string;
  readonly key: string;
  readonly expected: string | null | undefined;
  readonly actual: string | null | undefined;
}

/** Stores whose values are messages with maps, or accounts, and so are compared after reading them. */
const MESSAGE_OF_STORE: Record<string, string> = {
  'asset-issue': 'AssetIssueContract',
  'asset-issue-v2': 'AssetIssueContract',
  proposal: 'Proposal',
};

/**
 * A value in the form in which equal ones are equal text (golden/FORMAT-chain.md, "What is representation, not state").
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

/** Token balances are compared apart, see `tokenBalances`. */
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

/** Names of tokens, balance by balance, for accounts whose row still holds them. */
export function accountTokens(value: string): {
  byName: Map<string, bigint>;
  byId: Map<string, bigint>;
  isOptimized: boolean;
} {
  const account = Account.decode(Buffer.from(value, 'hex'));
  return { byName: account.asset, byId: account.assetV2, isOptimized: account.assetOptimized };
}
