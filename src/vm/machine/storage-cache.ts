// biome-ignore-all lint/style/noNonNullAssertion: entries, owners and places of the journal are numbers that this cache has given, and its arrays grow before they are given
import type { Address } from '../../domain/address.js';
import { toHex } from '../../domain/bytes.js';
import { JavaHashMap, javaHashOfHex } from '../../java/hash-map.js';
import type { VmAccounts } from '../native/accounts.js';
import type { State } from '../state/state.js';
import { storagePrefixOf } from '../state/storage-key.js';
import { JOURNAL_INTS, readWord, SlotTable, wordBytes } from './slot-table.js';

/** The slot has a row, in the state or written by this transaction; a row written zero counts until the transaction ends. */
export const PRESENT = 1;
const DIRTY = 2;
/** Absent slots are remembered up to this number of entries; beyond, each read asks the state again. */
const ABSENT_ENTRIES_MAX = 1 << 16;

/**
 * Storage slots that a transaction reads and writes. The state sees the outcome only, at `commit`. Reference: Storage with its row
 * cache, in every repository.
 */
export class StorageCache extends SlotTable {
  /** Keys (hex) of the rows that were looked up, by entry. */
  private readonly rowKeys: string[] = [];
  private contracts: StorageOwner[] = [];
  private readonly idOf = new Map<Address, number>();
  private readonly state: State;
  private readonly accounts: VmAccounts;
  /** Before the energy limit fork a call shared its caller's rows, and its writes stayed when it failed. */
  private readonly isShared: boolean;

  constructor(state: State, accounts: VmAccounts, isShared: boolean) {
    super();
    this.state = state;
    this.accounts = accounts;
    this.isShared = isShared;
  }

  /** Number by which a contract's storage is addressed from now on. @param depth of the call that touches it */
  owner(address: Address, depth: number): number {
    let id = this.idOf.get(address);
    if (id === undefined) {
      this.accounts.get(address);
      id = this.contracts.length;
      this.contracts.push({ address, prefix: undefined, version: 0, holders: [] });
      this.idOf.set(address, id);
    }
    if (this.isShared) {
      const { holders } = this.contracts[id]!;
      if (holders.at(-1) !== depth) holders.push(depth);
    }
    return id;
  }

  /** Entry of a slot, -1 for an absent one that is not remembered. The key is 8 limbs at `at`. */
  find(owner: number, words: Int32Array, at: number): number {
    const entry = this.lookUp(owner, words, at);
    return entry >= 0 ? entry : this.load(owner, words, at);
  }

  /** Writes 8 limbs at `valueAt` to the slot whose key is at `keyAt`. */
  store(owner: number, words: Int32Array, keyAt: number, valueAt: number): void {
    let entry = this.lookUp(owner, words, keyAt);
    if (entry < 0) entry = this.insert(owner, words, keyAt);
    this.record(entry);
    const at = entry * 8;
    for (let i = 0; i < 8; i++) this.values[at + i] = words[valueAt + i]!;
    this.flags[entry] = PRESENT | DIRTY;
  }

  mark(): number {
    return this.journalLength;
  }

  /** The call at `depth` returned: what it held its caller holds. */
  keep(depth: number): void {
    if (!this.isShared) return;
    for (const { holders } of this.contracts) {
      if (holders.at(-1) !== depth) continue;
      holders.pop();
      if (holders.at(-1) !== depth - 1) holders.push(depth - 1);
    }
  }

  /** The call at `depth` failed. */
  revertTo(mark: number, depth: number): void {
    const { journal } = this;
    let kept: Int32Array[] | undefined;
    for (let at = this.journalLength - JOURNAL_INTS; at >= mark; at -= JOURNAL_INTS) {
      const entry = journal[at]!;
      if (this.isShared && this.isHeldBelow(this.owners[entry]!, depth)) {
        kept ??= [];
        kept.push(journal.slice(at, at + JOURNAL_INTS));
        continue;
      }
      this.flags[entry] = journal[at + 1]!;
      const value = entry * 8;
      for (let i = 0; i < 8; i++) this.values[value + i] = journal[at + 2 + i]!;
    }
    this.journalLength = mark;
    for (const record of kept?.reverse() ?? []) {
      journal.set(record, this.journalLength);
      this.journalLength += JOURNAL_INTS;
    }
    if (!this.isShared) return;
    for (const { holders } of this.contracts) while (holders.length > 0 && holders.at(-1)! >= depth) holders.pop();
  }

  /** Writes all changed slots into the state: a row of zeros is deleted. */
  commit(): void {
    const rows = new Map<string, number | number[]>();
    for (let entry = 0; entry < this.count; entry++) {
      if ((this.flags[entry]! & DIRTY) === 0) continue;
      const key = this.rowKeys[entry] ?? this.rowKey(this.owners[entry]!, this.keys, entry * 8);
      const same = rows.get(key);
      if (same === undefined) rows.set(key, entry);
      else if (typeof same === 'number') rows.set(key, [same, entry]);
      else same.push(entry);
    }
    for (const [key, entries] of rows) this.writeRow(key, typeof entries === 'number' ? entries : this.lastOf(entries));
  }

  private writeRow(key: string, entry: number): void {
    const at = entry * 8;
    let bits = 0;
    for (let i = 0; i < 8; i++) bits |= this.values[at + i]!;
    if (bits === 0) this.state.storage.delete(key);
    else this.state.storage.put(key, wordBytes(this.values, at));
  }

  /** Several slots of an old contract may share a row: the reference writes them in the order of its hash map. */
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

  private load(owner: number, words: Int32Array, at: number): number {
    const rowKey = this.rowKey(owner, words, at);
    const row = this.state.storage.get(rowKey);
    if (row === undefined && this.count >= ABSENT_ENTRIES_MAX) return -1;
    const entry = this.insert(owner, words, at);
    this.rowKeys[entry] = rowKey;
    if (row !== undefined) {
      readWord(row, this.values, entry * 8);
      this.flags[entry] = PRESENT;
    }
    return entry;
  }

  private rowKey(owner: number, words: Int32Array, at: number): string {
    const contract = this.contracts[owner]!;
    if (contract.prefix === undefined) {
      const row = this.state.contracts.get(contract.address);
      contract.version = row?.version ?? 0;
      contract.prefix = storagePrefixOf(contract.address, row);
    }
    return this.state.slotKeys.keyOf(contract.prefix, contract.version, words, at);
  }
}

interface StorageOwner {
  readonly address: Address;
  /** First half of its rows' keys, in hex. */
  prefix: string | undefined;
  version: number;
  /** Depths of the calls that hold the rows, ascending; kept before the energy limit fork only. */
  readonly holders: number[];
}
