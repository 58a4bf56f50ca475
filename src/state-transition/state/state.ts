import {
  Account,
  AccountAccountResource,
  type AssetIssueContract,
  type ContractState,
  type DelegatedResource,
  type DelegatedResourceAccountIndex,
  type Exchange,
  type MarketAccountOrder,
  type MarketOrder,
  type MarketOrderIdList,
  type Proposal,
  type SmartContract,
  type SmartContractABI,
  type Votes,
  type Witness,
} from '../../codec/generated/messages.js';
import { type Address, addressBytes } from '../../primitives/address.js';
import { present } from '../../primitives/assert.js';
import { fromHex } from '../../primitives/bytes.js';
import { accounts } from '../../projections/accounts.js';
import { trc10Assets } from '../../projections/assets.js';
import { contracts } from '../../projections/contracts.js';
import { delegation } from '../../projections/delegation.js';
import { governance } from '../../projections/governance.js';
import { markets } from '../../projections/markets.js';
import { nodeLocal } from '../../projections/node-local.js';
import { shielded } from '../../projections/shielded.js';
import { staking } from '../../projections/staking.js';
import { compareMarketPriceKeys } from '../../projections/state/market-price-order.js';
import type { WrittenRow } from '../../projections/state/overlaid-state.js';
import type { RowCodec } from '../../projections/state/row-codecs.js';
import type { RowOf, StateProjection, StoreCodecs } from '../../projections/state/state-projection.js';
import type { RowChange, StateReader } from '../../projections/state/state-reader.js';
import { type StoreName, storeId } from '../../projections/state/stores.js';
import type { BalanceTrace } from './balance-trace.js';
import type { ChainRules } from './chain-rules.js';
import { Journal, type Mark } from './journal.js';
import { OldRewardSums } from './old-reward-sums.js';
import { Properties, propertyCodec } from './properties.js';
import { SlotKeys } from './slot-keys.js';
import { type AnyTable, type KeyOrder, Table, type TableEntry } from './table.js';

/**
 * State of the chain as the rules use it: decoded rows over a state reader. All writes are in one journal. `mark` takes
 * a snapshot, and `revertTo` returns to it. The state is deterministic: it has no clock, and no I/O except the reader.
 */
export class State {
  readonly rules: ChainRules;
  readonly properties: Properties;
  readonly accounts: Table<Account>;
  /** TRC10 balances that are stored outside of the account row. Key: address, then token id as text. */
  readonly accountAssets: Table<bigint>;
  /**
   * TRC10 balances of 0 that java-tron has not deleted from its disk yet. The keys are those of `accountAssets`. The
   * value is the number of the block that last wrote the account.
   */
  readonly zeroTokens: Table<bigint>;
  /**
   * Accounts that java-tron has not written to disk since it moved their tokens out of the account row. The value is
   * the number of the block that last wrote the account.
   *
   * java-tron sets `assetOptimized` when it writes the account to disk. Tronicle sets it at the first write, and uses
   * this table to answer like java-tron.
   */
  readonly unflushedAccounts: Table<bigint>;
  readonly accountIndex: Table<Uint8Array>;
  readonly accountIdIndex: Table<Uint8Array>;
  readonly accountTraces: Table<Uint8Array>;
  readonly balanceTraces: Table<Uint8Array>;
  /** TRC10 assets by name. Used before `ALLOW_SAME_TOKEN_NAME`, when a name identifies an asset. */
  readonly assets: Table<AssetIssueContract>;
  /** TRC10 assets by id. */
  readonly assetsV2: Table<AssetIssueContract>;
  readonly witnesses: Table<Witness>;
  readonly witnessSchedule: Table<Uint8Array>;
  readonly votes: Table<Votes>;
  readonly proposals: Table<Proposal>;
  readonly exchanges: Table<Exchange>;
  readonly exchangesV2: Table<Exchange>;
  readonly marketAccounts: Table<MarketAccountOrder>;
  readonly marketOrders: Table<MarketOrder>;
  readonly marketPriceToOrders: Table<MarketOrderIdList>;
  /** Number of price levels, by pair of tokens. */
  readonly marketPairs: Table<bigint>;
  readonly delegatedResources: Table<DelegatedResource>;
  readonly delegationIndex: Table<DelegatedResourceAccountIndex>;
  /** Rewards by cycle. Keys are text, values have several encodings (see `rewards.ts`). */
  readonly delegation: Table<Uint8Array>;
  /** Nodes of the trie over accounts, by hash. */
  readonly accountTrie: Table<Uint8Array>;
  readonly merkleTrees: Table<Uint8Array>;
  readonly nullifiers: Table<Uint8Array>;
  readonly contracts: Table<SmartContract>;
  readonly abis: Table<SmartContractABI>;
  readonly code: Table<Uint8Array>;
  readonly contractStates: Table<ContractState>;
  /** Contract storage. Keys and values have 32 bytes each; see `storage-key.ts` for the two key layouts. */
  readonly storage: Table<Uint8Array>;
  readonly rewardsVi: Table<Uint8Array>;
  /** Balance history of the current block; undefined if it is disabled. */
  trace: BalanceTrace | undefined = undefined;
  /**
   * Returns the number of the newest block that java-tron would have written to disk. If undefined, because this state
   * executes no blocks, the number of the solidified block is used as an approximation.
   */
  flushedNumber: (() => number) | undefined = undefined;
  private readonly journal = new Journal();
  private readonly tables: AnyTable[] = [];
  /** Cached cumulative rewards per vote, for cycles before the new reward algorithm. */
  readonly oldRewards = new OldRewardSums();
  private readonly reader: StateReader;
  private keysOfSlots: SlotKeys | undefined;

  constructor(reader: StateReader, rules: ChainRules) {
    this.reader = reader;
    this.rules = rules;
    this.properties = new Properties(this.decodedTable('properties', propertyCodec), rules.configured);
    this.accounts = this.table(accounts, 'account');
    this.accountAssets = this.table(accounts, 'account-asset');
    this.zeroTokens = this.table(nodeLocal, 'zero-tokens');
    this.unflushedAccounts = this.table(nodeLocal, 'unflushed-accounts');
    this.accountIndex = this.table(accounts, 'account-index');
    this.accountIdIndex = this.table(accounts, 'accountid-index');
    this.accountTraces = this.table(nodeLocal, 'account-trace');
    this.balanceTraces = this.table(nodeLocal, 'balance-trace');
    this.assets = this.table(trc10Assets, 'asset-issue');
    this.assetsV2 = this.table(trc10Assets, 'asset-issue-v2');
    this.witnesses = this.table(governance, 'witness');
    this.witnessSchedule = this.table(governance, 'witness_schedule');
    this.votes = this.table(staking, 'votes');
    this.proposals = this.table(governance, 'proposal');
    this.exchanges = this.table(markets, 'exchange');
    this.exchangesV2 = this.table(markets, 'exchange-v2');
    this.marketAccounts = this.table(markets, 'market_account');
    this.marketOrders = this.table(markets, 'market_order');
    this.marketPriceToOrders = this.table(markets, 'market_pair_price_to_order', (a, b) =>
      compareMarketPriceKeys(fromHex(a), fromHex(b)),
    );
    this.marketPairs = this.table(markets, 'market_pair_to_price');
    this.delegatedResources = this.table(delegation, 'DelegatedResource');
    this.delegationIndex = this.table(delegation, 'DelegatedResourceAccountIndex');
    this.delegation = this.table(staking, 'delegation');
    this.accountTrie = this.table(accounts, 'accountTrie');
    this.merkleTrees = this.table(shielded, 'IncrementalMerkleTree');
    this.nullifiers = this.table(shielded, 'nullifier');
    this.contracts = this.table(contracts, 'contract');
    this.abis = this.table(contracts, 'abi');
    this.code = this.table(contracts, 'code');
    this.contractStates = this.table(contracts, 'contract-state');
    this.storage = this.table(contracts, 'storage-row');
    this.rewardsVi = this.table(staking, 'rewards-vi');
  }

  /** Cache of keys of `storage`. Created on first use, because many states never need it. */
  get slotKeys(): SlotKeys {
    this.keysOfSlots ??= new SlotKeys();
    return this.keysOfSlots;
  }

  /** Number of the block that is executed on top of the head: the head's number plus 1. */
  get blockNumber(): bigint {
    return this.properties.get('latest_block_header_number') + 1n;
  }

  mark(): Mark {
    return this.journal.mark();
  }

  revertTo(mark: Mark): void {
    this.journal.revertTo(mark);
  }

  /** Returns an account, which must not be modified; undefined if it does not exist. */
  account(address: Address): Account | undefined {
    return this.accounts.get(address);
  }

  /**
   * Returns an account that may be modified in place; undefined if it does not exist. The caller must call
   * `saveAccount` wherever java-tron stores the account, because each call adds an operation to the balance history if
   * the balance has changed.
   */
  accountToWrite(address: Address): Account | undefined {
    const account = this.accounts.toWrite(address);
    if (account === undefined) return undefined;
    this.trace?.watch(address, account.balance);
    if (!account.assetOptimized && this.properties.isOn('ALLOW_ASSET_OPTIMIZATION')) this.moveAssets(address, account);
    return account;
  }

  /**
   * Returns an account that must exist, because the caller has found it before. The account must not be modified.
   * @throws {AssertionError} the account does not exist, which is a bug in Tronicle
   */
  existingAccount(address: Address): Account {
    return this.accounts.existing(address);
  }

  /**
   * Returns an account that must exist, for modification in place.
   * @throws {AssertionError} the account does not exist, which is a bug in Tronicle
   */
  existingAccountToWrite(address: Address): Account {
    return present(this.accountToWrite(address), 'the rules found this account before');
  }

  /** Adds the balance change of an account to the balance history. Called wherever java-tron stores the account. */
  saveAccount(address: Address, account: Account): void {
    this.trace?.saved(address, account.balance);
  }

  /** Adds a row for an account, with the fields that the caller set. */
  putAccount(address: Address, account: Account): void {
    if (this.properties.isOn('ALLOW_ASSET_OPTIMIZATION')) this.markOptimized(address, account);
    this.accounts.put(address, account);
    this.trace?.saved(address, account.balance);
  }

  deleteAccount(address: Address): void {
    this.trace?.deleted(address, this.accounts.get(address)?.balance ?? 0n);
    this.accounts.delete(address);
    for (const [key] of this.zeroTokens.range(address)) this.zeroTokens.delete(key);
    this.unflushedAccounts.delete(address);
  }

  /**
   * Returns the rows changed since the last commit. Their values become the committed values. Invalidates all marks.
   */
  commit(): RowChange[] {
    const changes: RowChange[] = [];
    for (const table of this.tables) table.commit(changes);
    this.journal.clear();
    return changes;
  }

  /** Returns the rows written since a mark, encoded with their current values. */
  writtenSince(mark: Mark): WrittenRow[] {
    return [...this.journal.writtenSince(mark)].flatMap((entry) => [...entry.table.stored(entry)]);
  }

  /** Returns the accounts written since a mark, without duplicates, with their current values. */
  accountsWrittenSince(mark: Mark): (readonly [Address, Account])[] {
    const written: (readonly [Address, Account])[] = [];
    for (const { table, key, value } of this.journal.writtenSince(mark)) {
      if (table === (this.accounts as unknown) && value !== undefined) written.push([key as Address, value as Account]);
    }
    return written;
  }

  /**
   * Returns the accounts that were written and later deleted since a mark, with their last values before the
   * deletion.
   */
  accountsDeletedSince(mark: Mark): (readonly [Address, Account])[] {
    const deleted: (readonly [Address, Account])[] = [];
    for (const [{ table, key }, last] of this.journal.deletedSince(mark)) {
      if (table === (this.accounts as unknown)) deleted.push([key as Address, last as Account]);
    }
    return deleted;
  }

  /** Returns access to rows as they were at a mark. Valid until a commit, or a revert to an older mark. */
  rowsAt(mark: Mark): RowsAt {
    const before = this.journal.valuesAt(mark);
    // The cast is safe, because the value of a table's entry has the type of the table.
    return { get: <T>(table: Table<T>, key: string) => valueIn(before, table.entry(key)) as T | undefined };
  }

  /** Discards all decoded rows. Must be called after code outside of this state has changed rows in the store. */
  reset(): void {
    for (const table of this.tables) table.reset(this.reader);
    this.journal.clear();
  }

  /** Discards all decoded rows and `oldRewards`. Must be called after blocks were reverted. */
  resetBranch(): void {
    this.reset();
    this.oldRewards.clear();
  }

  /**
   * Moves TRC10 balances out of an account row. Called at the first write of the account after the asset optimization
   * was enabled.
   */
  private moveAssets(address: Address, account: Account): void {
    for (const [id, amount] of account.assetV2) {
      const key = address + Buffer.from(id).toString('hex');
      if (amount === 0n) this.zeroTokens.put(key, this.blockNumber);
      else this.accountAssets.put(key, amount);
    }
    account.assetV2 = new Map();
    account.asset = new Map();
    this.markOptimized(address, account);
  }

  private markOptimized(address: Address, account: Account): void {
    account.assetOptimized = true;
    this.unflushedAccounts.put(address, this.blockNumber);
  }

  /** Creates the table of a store. The projection of the store defines the encoding of its rows. */
  private table<Stores extends StoreCodecs, Name extends keyof Stores & StoreName>(
    { stores }: StateProjection<Stores>,
    name: Name,
    compare?: KeyOrder,
  ): Table<RowOf<Stores[Name]>> {
    // The cast is safe, because the codec of a store has the row type of that store.
    return this.decodedTable(name, stores[name] as RowCodec<RowOf<Stores[Name]>>, compare);
  }

  private decodedTable<T>(name: StoreName, codec: RowCodec<T>, compare?: KeyOrder): Table<T> {
    const table = new Table(storeId(name), codec, this.journal, this.reader, compare);
    this.tables.push(table);
    return table;
  }
}

/** Access to the rows of a state at an earlier mark. The rows must not be modified. */
export interface RowsAt {
  get<T>(table: Table<T>, key: string): T | undefined;
}

function valueIn<T>(before: ReadonlyMap<unknown, unknown>, entry: TableEntry<T>): unknown {
  return before.has(entry) ? before.get(entry) : entry.value;
}

/** Creates an account row with the fields that java-tron writes for a new account. */
export function newAccount(address: Address, fields: Partial<Account> = {}): Account {
  return Object.assign(new Account(), { address: addressBytes(address) }, fields);
}

/** Returns the energy message of an account. Creates it if needed. */
export function resourceOf(account: Account): AccountAccountResource {
  account.accountResource ??= new AccountAccountResource();
  return account.accountResource;
}
