/**
 * Id of a state store in keys, digests and `changes` records: one byte. An id is never used again for another store.
 */
export type StoreId = number;

/**
 * The stores of the state, with the names of the database folders of java-tron. Ids never change, because every digest
 * contains them. Stores from {@link UNDIGESTED_FROM} on are not part of the digest, because their rows depend on the
 * configuration or do not exist in java-tron.
 */
const rows = [
  [1, 'account'],
  [2, 'account-asset'],
  [3, 'account-index'],
  [4, 'accountid-index'],
  [5, 'asset-issue'],
  [6, 'asset-issue-v2'],
  [7, 'witness'],
  [8, 'witness_schedule'],
  [9, 'votes'],
  [10, 'proposal'],
  [11, 'exchange'],
  [12, 'exchange-v2'],
  [13, 'market_account'],
  [14, 'market_order'],
  [15, 'market_pair_price_to_order'],
  [16, 'market_pair_to_price'],
  [17, 'DelegatedResource'],
  [18, 'DelegatedResourceAccountIndex'],
  [19, 'delegation'],
  [20, 'properties'],
  [21, 'IncrementalMerkleTree'],
  [22, 'nullifier'],
  [23, 'accountTrie'],
  [24, 'abi'],
  [25, 'code'],
  [26, 'contract'],
  [27, 'contract-state'],
  [28, 'storage-row'],
  [29, 'rewards-vi'],
  [240, 'account-trace'],
  [241, 'balance-trace'],
  [242, 'zero-tokens'],
  [243, 'unflushed-accounts'],
] as const;

/** Stores with this id or a higher id are not part of the state digest. */
export const UNDIGESTED_FROM: StoreId = 240;

export type StoreName = (typeof rows)[number][1];

/** All store ids, ascending. Digests and dumps use this order. */
export const storeIds: readonly StoreId[] = rows.map(([id]) => id);

/** First id of stores that do not exist in java-tron. */
const OWN_FROM: StoreId = 242;

/** Returns true if java-tron's data folder contains the store. */
export const isJavaStore = (id: StoreId): boolean => id < OWN_FROM;

/** Ids of the stores that java-tron has, ascending. */
export const javaStoreIds: readonly StoreId[] = storeIds.filter(isJavaStore);

export const MARKET_PAIR_PRICE_TO_ORDER: StoreId = 15;

/**
 * Returns the name of a store: that of java-tron's database folder, or Tronicle's name if java-tron has no such
 * store.
 * @throws {RangeError} the id is unknown
 */
export function storeName(id: StoreId): StoreName {
  const name = nameOf.get(id);
  if (name === undefined) throw new RangeError(`unknown state store id: ${id}`);
  return name;
}

/**
 * Returns the id of a store by its name; undefined for an unknown name, such as java-tron's databases of blocks,
 * indexes and caches.
 */
export function findStoreId(name: string): StoreId | undefined {
  return idOf.get(name);
}

/** Returns the id of a store by its name. @throws {RangeError} the name is unknown */
export function storeId(name: StoreName): StoreId {
  const id = idOf.get(name);
  if (id === undefined) throw new RangeError(`unknown state store: ${name}`);
  return id;
}

const nameOf = new Map<StoreId, StoreName>(rows.map(([id, name]) => [id, name]));
const idOf = new Map<string, StoreId>(rows.map(([id, name]) => [name, id]));
