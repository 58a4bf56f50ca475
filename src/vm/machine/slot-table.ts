// biome-ignore-all lint/style/noNonNullAssertion: entry numbers and indexes come from this table, and its arrays grow before a new one is returned
import { randomInt } from 'node:crypto';
import { writeWord } from '../../state-transition/state/slot-keys.js';

/** Number of ints per journal record: the entry, its flags, and the 8 limbs of its previous value. */
export const JOURNAL_INTS = 10;
/**
 * Random start value of the hash. With a fixed value, an attacker could choose keys with equal hashes. Results do not
 * depend on this value.
 */
const SEED = randomInt(2 ** 31);

/**
 * Storage slots by contract and key, in an open-addressing hash table over typed arrays. A word is 8 limbs of 32 bits,
 * least significant limb first. A journal records previous values. `StorageCache` defines the flags.
 */
export class SlotTable {
  /** Values of all entries, 8 limbs per entry. */
  values: Int32Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  protected keys: Int32Array<ArrayBuffer>;
  protected owners: Int32Array<ArrayBuffer>;
  protected count = 0;
  private table: Int32Array<ArrayBuffer>;
  protected journal: Int32Array<ArrayBuffer>;
  protected journalLength = 0;

  constructor() {
    const arrays = spare ?? newArrays();
    spare = undefined;
    this.values = arrays.values;
    this.flags = arrays.flags;
    this.keys = arrays.keys;
    this.owners = arrays.owners;
    this.table = arrays.table;
    this.journal = arrays.journal;
  }

  /**
   * Passes the arrays on to the next transaction, unless they are too large. This object must not be used afterwards.
   */
  release(): void {
    const { values, flags, keys, owners, table, journal } = this;
    if (flags.length > SPARE_ENTRIES_MAX || journal.length > JOURNAL_INTS * SPARE_ENTRIES_MAX) return;
    if (this.count > 0) {
      flags.fill(0, 0, this.count);
      values.fill(0, 0, 8 * this.count);
      table.fill(-1);
    }
    spare = { values, flags, keys, owners, table, journal };
  }

  protected lookUp(owner: number, words: Int32Array, at: number): number {
    const { table, keys, owners } = this;
    const mask = table.length - 1;
    for (let bucket = hash(owner, words, at) & mask; ; bucket = (bucket + 1) & mask) {
      const entry = table[bucket]!;
      if (entry < 0) return -1;
      const key = entry * 8;
      if (
        keys[key] === words[at] &&
        keys[key + 1] === words[at + 1] &&
        keys[key + 2] === words[at + 2] &&
        keys[key + 3] === words[at + 3] &&
        keys[key + 4] === words[at + 4] &&
        keys[key + 5] === words[at + 5] &&
        keys[key + 6] === words[at + 6] &&
        keys[key + 7] === words[at + 7] &&
        owners[entry] === owner
      ) {
        return entry;
      }
    }
  }

  protected insert(owner: number, words: Int32Array, at: number): number {
    if (this.count * 2 >= this.table.length) this.rehash();
    if (this.count === this.flags.length) this.grow();
    const entry = this.count++;
    for (let i = 0; i < 8; i++) this.keys[entry * 8 + i] = words[at + i]!;
    this.owners[entry] = owner;
    this.addToTable(entry);
    return entry;
  }

  private addToTable(entry: number): void {
    const mask = this.table.length - 1;
    let bucket = hash(this.owners[entry]!, this.keys, entry * 8) & mask;
    while (this.table[bucket]! >= 0) bucket = (bucket + 1) & mask;
    this.table[bucket] = entry;
  }

  private rehash(): void {
    this.table = new Int32Array(this.table.length * 4).fill(-1);
    for (let entry = 0; entry < this.count; entry++) this.addToTable(entry);
  }

  private grow(): void {
    this.values = doubled(this.values);
    this.keys = doubled(this.keys);
    this.owners = doubled(this.owners);
    const flags = new Uint8Array(this.flags.length * 2);
    flags.set(this.flags);
    this.flags = flags;
  }

  protected record(entry: number): void {
    if (this.journalLength === this.journal.length) this.journal = doubled(this.journal);
    const at = this.journalLength;
    this.journal[at] = entry;
    this.journal[at + 1] = this.flags[entry]!;
    for (let i = 0; i < 8; i++) this.journal[at + 2 + i] = this.values[entry * 8 + i]!;
    this.journalLength += JOURNAL_INTS;
  }
}

interface Arrays {
  readonly values: Int32Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly keys: Int32Array<ArrayBuffer>;
  readonly owners: Int32Array<ArrayBuffer>;
  readonly table: Int32Array<ArrayBuffer>;
  readonly journal: Int32Array<ArrayBuffer>;
}

/**
 * Cleared arrays of an earlier transaction. The next transaction uses them again, because their allocation takes
 * longer than most calls.
 */
let spare: Arrays | undefined;
/** Maximum number of entries of arrays that are used again. Larger arrays are left to the garbage collector. */
const SPARE_ENTRIES_MAX = 4096;

function newArrays(): Arrays {
  return {
    values: new Int32Array(8 * 256),
    flags: new Uint8Array(256),
    keys: new Int32Array(8 * 256),
    owners: new Int32Array(256),
    table: new Int32Array(1024).fill(-1),
    journal: new Int32Array(JOURNAL_INTS * 64),
  };
}

/** Returns a word of 8 limbs as 32 big-endian bytes. */
export function wordBytes(words: Int32Array, at: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(32);
  writeWord(bytes, words, at);
  return bytes;
}

/** Converts 32 big-endian bytes to 8 limbs. */
export function readWord(bytes: Uint8Array, words: Int32Array, at: number): void {
  for (let i = 0; i < 8; i++) {
    const from = 28 - 4 * i;
    words[at + i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const next = new Int32Array(array.length * 2);
  next.set(array);
  return next;
}

function hash(owner: number, words: Int32Array, at: number): number {
  let mix = SEED + Math.imul(owner, 0x9e3779b1);
  for (let i = 0; i < 8; i++) {
    const limb = mix ^ words[at + i]!;
    mix = Math.imul((limb << 13) | (limb >>> 19), 0x85ebca6b);
  }
  return mix ^ (mix >>> 15);
}
