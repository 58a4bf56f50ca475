// biome-ignore-all lint/style/noNonNullAssertion: entry, owner and journal indexes come from this cache, and its arrays grow before a new one is returned

import { JavaHashMap, javaHashOfHex } from '../../java-compat/hash-map.js';
import type { Address } from '../../primitives/address.js';
import { toHex } from '../../primitives/bytes.js';
import type { VmAccounts } from '../../state-transition/balances/accounts.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import type { State } from '../../state-transition/state/state.js';
import { OWN_ROW, storageHashOf } from '../../state-transition/state/storage-key.js';
import { refusedAsTimeout } from '../../state-transition/vm-error.js';
import { JOURNAL_INTS, readWord, SlotTable, wordBytes } from './slot-table.js';

/**
 * Flag: the slot has a row, either in the state or written by this transaction. Until the transaction ends, a row
 * counts even if its value is zero.
 */
export const PRESENT = 1;
const DIRTY = 2;
/** Flag: the cached value is valid, because the slot was read or written before. */
const SETTLED = 4;
/**
 * Flag for rows that several slots may share: the transaction accessed this slot before all other slots of its row.
 * If the call that accessed the slot fails, the revert clears the flag.
 */
const TENANT = 8;
/**
 * Flag since proposal 99: the value was read from a row that several slots may share. The commit moves the value to a
 * row of this slot only, and deletes the shared row.
 */
const READ_SHARED = 16;
/**
 * Flag since proposal 99: the value was read from the row of this slot only, or no row existed. The commit then does
 * not delete a shared row, even if `READ_SHARED` is also set.
 */
const READ_ELSEWHERE = 32;
/**
 * Limit for slots without a row (absent slots), if rows are `shared`: if the cache has this number of entries, it adds
 * no entry for an absent slot, so each read of the slot queries the state again. If rows are `guarded` or `own`, every
 * slot gets an entry.
 */
const ABSENT_ENTRIES_MAX = 1 << 16;

/**
 * Mapping of slots to rows. Reference: Storage, its aliasCheckEnabled and optimizeTvmStorage.
 * - `shared`: two slots of an old contract share one row if their keys have the same second half.
 * - `guarded`: like `shared`, but a transaction that accesses two slots of one row fails. In force since 4.8.2.3.
 * - `own`: each slot has a row of its own. The value of an old shared row belongs to the first accessed slot of this
 * row, and moves to the row of this slot. In force since proposal 99.
 */
type SlotRows = 'shared' | 'guarded' | 'own';

/**
 * Storage slots that a transaction reads and writes. `commit` writes them to the state. In java-tron, each nested
 * Repository has its own copy of this cache. Reference: Storage.
 */
export class StorageCache extends SlotTable {
  /** Row key (hex) of each entry, if it was already computed. */
  private readonly rowKeys: string[] = [];
  private contracts: StorageOwner[] = [];
  private readonly idOf = new Map<Address, number>();
  private readonly state: State;
  private readonly accounts: VmAccounts;
  /**
   * True before the energy limit fork. A call then shares the cached storage rows of its caller, and its writes to
   * these rows remain even if the call fails.
   */
  private readonly isShared: boolean;
  private readonly rows: SlotRows;
  /** Entry of the first accessed slot of each row, by row key. Contains only rows that several slots may share. */
  private readonly tenants = new Map<string, number>();

  constructor(state: State, accounts: VmAccounts, isShared: boolean) {
    super();
    this.state = state;
    this.accounts = accounts;
    this.isShared = isShared;
    this.rows = slotRowsOf(state);
  }

  /**
   * Returns the number that this cache has assigned to a contract. Assigns a number on the first access.
   * @param depth depth of the call that accesses the contract
   */
  owner(address: Address, depth: number): number {
    let id = this.idOf.get(address);
    if (id === undefined) {
      this.accounts.get(address);
      id = this.contracts.length;
      this.contracts.push({ address, hash: undefined, version: 0, holders: [] });
      this.idOf.set(address, id);
    }
    if (this.isShared) {
      const { holders } = this.contracts[id]!;
      if (holders.at(-1) !== depth) holders.push(depth);
    }
    return id;
  }

  /**
   * Returns the entry of a slot. Returns −1 if the slot has no row and the cache adds no entry for it. The key is 8
   * limbs from index `at`.
   * @throws {VmError} OUT_OF_TIME, if rows are `guarded`: another slot of the same row was accessed first
   */
  find(owner: number, words: Int32Array, at: number): number {
    const entry = this.lookUp(owner, words, at);
    if (entry >= 0 && (this.flags[entry]! & SETTLED) !== 0) return entry;
    return this.rows === 'own' ? this.loadOwn(owner, words, at, entry) : this.load(owner, words, at, entry);
  }

  /**
   * Writes 8 limbs from index `valueAt` to the slot whose key is at index `keyAt`.
   * @throws {VmError} OUT_OF_TIME, if rows are `guarded`: another slot of the same row was accessed first
   */
  store(owner: number, words: Int32Array, keyAt: number, valueAt: number): void {
    let entry = this.lookUp(owner, words, keyAt);
    if (entry < 0) entry = this.insert(owner, words, keyAt);
    if (this.rows !== 'shared') this.moveIn(entry);
    this.record(entry);
    const at = entry * 8;
    for (let i = 0; i < 8; i++) this.values[at + i] = words[valueAt + i]!;
    this.flags[entry] = this.flags[entry]! | PRESENT | DIRTY | SETTLED;
  }

  mark(): number {
    return this.journalLength;
  }

  /**
   * Must be called after a successful call at `depth`. Before the energy limit fork, all rows that the call has
   * cached are then shared with its caller.
   */
  keep(depth: number): void {
    if (!this.isShared) return;
    for (const { holders } of this.contracts) {
      if (holders.at(-1) !== depth) continue;
      holders.pop();
      if (holders.at(-1) !== depth - 1) holders.push(depth - 1);
    }
  }

  /**
   * Reverts the writes of a failed call at `depth`. Before the energy limit fork, writes to rows that the outer calls
   * share remain.
   * @param mark result of `mark` before the call
   */
  revertTo(mark: number, depth: number): void {
    const { journal } = this;
    let copies: Int32Array[] | undefined;
    for (let at = this.journalLength - JOURNAL_INTS; at >= mark; at -= JOURNAL_INTS) {
      const entry = journal[at]!;
      if (this.isShared && this.isHeldBelow(this.owners[entry]!, depth)) {
        copies ??= [];
        copies.push(journal.slice(at, at + JOURNAL_INTS));
        continue;
      }
      this.flags[entry] = journal[at + 1]!;
      const value = entry * 8;
      for (let i = 0; i < 8; i++) this.values[value + i] = journal[at + 2 + i]!;
    }
    this.journalLength = mark;
    for (const record of copies?.reverse() ?? []) {
      journal.set(record, this.journalLength);
      this.journalLength += JOURNAL_INTS;
    }
    if (!this.isShared) return;
    for (const { holders } of this.contracts) while (holders.length > 0 && holders.at(-1)! >= depth) holders.pop();
  }

  /**
   * Writes all changed slots to the state. A zero value deletes the row. Since proposal 99 (`own`), a zero value is
   * stored instead. Values that were read from shared rows then move to rows of single slots.
   */
  commit(): void {
    if (this.rows === 'own') this.commitOwn();
    else this.commitShared();
  }

  private commitShared(): void {
    const rows = new Map<string, number | number[]>();
    for (let entry = 0; entry < this.count; entry++) {
      if ((this.flags[entry]! & DIRTY) === 0) continue;
      const key = this.rowKeys[entry] ?? this.keyOf(entry);
      const same = rows.get(key);
      if (same === undefined) rows.set(key, entry);
      else if (typeof same === 'number') rows.set(key, [same, entry]);
      else same.push(entry);
    }
    for (const [key, entries] of rows) this.writeRow(key, typeof entries === 'number' ? entries : this.lastOf(entries));
  }

  private writeRow(key: string, entry: number): void {
    if (this.isZero(entry)) this.state.storage.delete(key);
    else this.state.storage.put(key, wordBytes(this.values, entry * 8));
  }

  private isZero(entry: number): boolean {
    let bits = 0;
    for (let at = entry * 8; at < entry * 8 + 8; at++) bits |= this.values[at]!;
    return bits === 0;
  }

  private commitOwn(): void {
    for (let entry = 0; entry < this.count; entry++) {
      const flags = this.flags[entry]!;
      if ((flags & (DIRTY | READ_SHARED)) === 0) continue;
      this.state.storage.put(this.keyOf(entry, OWN_ROW), wordBytes(this.values, entry * 8));
      if ((flags & READ_ELSEWHERE) === 0) this.state.storage.delete(this.keyOf(entry));
    }
  }

  /**
   * Returns the entry that java-tron writes last, among entries that share one row. The last write decides the value
   * of the row. java-tron writes entries in the iteration order of its hash map.
   */
  private lastOf(entries: number[]): number {
    const owner = this.owners[entries[0]!]!;
    const map = new JavaHashMap<string, number>(javaHashOfHex);
    for (let entry = 0; entry < this.count; entry++) {
      const isCached = this.owners[entry] === owner && (this.flags[entry]! & PRESENT) !== 0;
      if (isCached) map.set(toHex(wordBytes(this.keys, entry * 8)), entry);
    }
    return map
      .entries()
      .map(([, entry]) => entry)
      .filter((entry) => entries.includes(entry))
      .at(-1)!;
  }

  private isHeldBelow(owner: number, depth: number): boolean {
    const [lowest] = this.contracts[owner]!.holders;
    return lowest !== undefined && lowest < depth;
  }

  /**
   * Loads a slot from its row. The contract's version determines the key of the row.
   * @param found entry of the slot, or −1
   */
  private load(owner: number, words: Int32Array, at: number, found: number): number {
    const rowKey = this.rowKey(owner, words, at);
    const row = this.state.storage.get(rowKey);
    if (row === undefined && found < 0 && this.rows === 'shared' && this.count >= ABSENT_ENTRIES_MAX) return -1;
    const entry = found < 0 ? this.insert(owner, words, at) : found;
    this.rowKeys[entry] = rowKey;
    if (this.rows === 'guarded') this.moveIn(entry);
    this.settle(entry, row);
    return entry;
  }

  /**
   * Loads a slot from the row of this slot only. If this row does not exist, uses the row that several slots may
   * share, unless another slot has already used the shared row. Reference: Storage.getOptimized.
   * @param found entry of the slot, or −1
   */
  private loadOwn(owner: number, words: Int32Array, at: number, found: number): number {
    const entry = found < 0 ? this.insert(owner, words, at) : found;
    const own = this.state.storage.get(this.keyOf(entry, OWN_ROW));
    if (own === undefined && this.hasOtherTenant(entry, this.keyOf(entry))) return entry;
    const row = own ?? this.state.storage.get(this.keyOf(entry));
    this.record(entry);
    this.settle(entry, row);
    const isShared = own === undefined && row !== undefined;
    this.flags[entry] = this.flags[entry]! | (isShared ? READ_SHARED : READ_ELSEWHERE);
    if (own !== undefined && this.isZero(entry)) this.flags[entry] = SETTLED | READ_ELSEWHERE;
    else if (row !== undefined) this.moveIn(entry);
    return entry;
  }

  private settle(entry: number, row: Uint8Array | undefined): void {
    this.flags[entry] = this.flags[entry]! | SETTLED | (row === undefined ? 0 : PRESENT);
    if (row !== undefined) readWord(row, this.values, entry * 8);
  }

  /**
   * Records the slot as the first accessed slot of its shared row, unless another slot is recorded.
   * @throws {VmError} OUT_OF_TIME: another slot is recorded, and rows are `guarded`
   */
  private moveIn(entry: number): void {
    if ((this.flags[entry]! & TENANT) !== 0) return;
    const key = this.keyOf(entry);
    if (this.hasOtherTenant(entry, key)) {
      if (this.rows === 'guarded') throw refusedAsTimeout('storage check');
      return;
    }
    this.record(entry);
    this.tenants.set(key, entry);
    this.flags[entry] = this.flags[entry]! | TENANT;
  }

  private hasOtherTenant(entry: number, key: string): boolean {
    const tenant = this.tenants.get(key);
    return tenant !== undefined && tenant !== entry && (this.flags[tenant]! & TENANT) !== 0;
  }

  private keyOf(entry: number, form?: typeof OWN_ROW): string {
    return this.rowKey(this.owners[entry]!, this.keys, entry * 8, form);
  }

  /**
   * Returns the key of a slot's row.
   * @param form `OWN_ROW` for the row of this slot only; if undefined, the row that the contract's version determines
   */
  private rowKey(owner: number, words: Int32Array, at: number, form?: typeof OWN_ROW): string {
    const contract = this.contracts[owner]!;
    if (contract.hash === undefined) {
      const row = this.state.contracts.get(contract.address);
      contract.version = row?.version ?? 0;
      contract.hash = storageHashOf(contract.address, row);
    }
    return this.state.slotKeys.keyOf(contract.hash, form ?? contract.version, words, at);
  }
}

function slotRowsOf(state: State): SlotRows {
  if (state.properties.isOn('ALLOW_OPTIMIZE_TVM_STORAGE')) return 'own';
  return hasPassed(state, VERSION.V4_8_2_3) ? 'guarded' : 'shared';
}

interface StorageOwner {
  readonly address: Address;
  /** Hash of the contract, which is the first part of the row keys, in hex. */
  hash: string | undefined;
  version: number;
  /**
   * Depths of the calls that have cached rows of the contract, in ascending order. Used only before the energy limit
   * fork.
   */
  readonly holders: number[];
}
