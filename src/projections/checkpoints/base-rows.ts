import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress, uncompress } from '../../codec/snappy.js';
import { checksum64 } from '../../crypto/checksum.js';
import { sha256 } from '../../crypto/hash.js';
import { DamageError, UsageError } from '../../primitives/errors.js';
import { LineHash } from '../state/line-hash.js';
import { hasMaps, sortedValue } from '../state/map-order.js';
import { type StoreId, storeName, UNDIGESTED_FROM } from '../state/stores.js';

/**
 * Folder in the data folder with the rows of the base (the state that `tronicle bootstrap` imported), one file per
 * store.
 */
export const BASE_FOLDER = 'base';

/** Folder with unfinished bootstrap data. A data folder that contains it cannot be started. */
export const BOOTSTRAP_FOLDER = 'bootstrap';

/** Refuses a data folder with an unfinished bootstrap. @throws {UsageError} the bootstrap is unfinished */
export function refuseUnfinished(dataDir: string): void {
  if (!existsSync(join(dataDir, BOOTSTRAP_FOLDER))) return;
  throw new UsageError(
    `${dataDir} contains an unfinished bootstrap; run 'tronicle bootstrap' again to complete it, or delete this folder`,
  );
}

/**
 * Size at which the writer starts a new part of a file, in bytes before compression. Each part has its own checksum.
 */
const PART_BYTES = 1024 * 1024;
const PART_BYTES_MAX = 64 * 1024 * 1024;
const HEAD_BYTES = 16;
/** Size of the trailer of a file, in bytes: number of rows, then the two hashes of {@link StoreSum}. */
const END_BYTES = 8 + 32 + 32;
const END = 0xffffffff;

/** Row count of one store, and SHA-256 over its rows as lines `<key hex> <value hex>\n` in key order. */
export interface StoreSum {
  readonly store: StoreId;
  readonly rows: number;
  readonly sha256: Uint8Array;
  /**
   * SHA-256 as in `sha256`, but each value has its protobuf map entries sorted by key. The state digest uses this
   * hash.
   */
  readonly digested: Uint8Array;
}

export function baseFile(folder: string, store: StoreId): string {
  return join(folder, `${String(store).padStart(3, '0')}-${storeName(store)}.rows`);
}

/**
 * Returns the state digest of a base: SHA-256(32 zero bytes ‖ block id ‖ store sums). A store sum is u8 store id ‖ u64
 * row count ‖ the hash `StoreSum.digested`. Stores without rows or outside of the state digest are omitted.
 */
export function baseDigest(blockId: Uint8Array, sums: readonly StoreSum[]): Uint8Array {
  const digested = sums.filter(({ store }) => store < UNDIGESTED_FROM);
  return sha256(new Uint8Array(32), blockId, ...digestParts(digested));
}

/** Returns SHA-256 over the sums of some stores, encoded as for {@link baseDigest}. Stores without rows are omitted. */
export function digestOfStores(sums: readonly Omit<StoreSum, 'sha256'>[]): Uint8Array {
  return sha256(...digestParts(sums));
}

function digestParts(sums: readonly Omit<StoreSum, 'sha256'>[]): Uint8Array[] {
  return sums
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => a.store - b.store)
    .map(({ store, rows, digested }) => {
      const head = Buffer.alloc(9);
      head[0] = store;
      head.writeBigUInt64BE(BigInt(rows), 1);
      return Buffer.concat([head, digested]);
    });
}

/**
 * Writes the rows of one store to a file. The caller must add the rows in ascending key order. The file has a
 * temporary name until it is flushed to disk.
 */
export class BaseRowsWriter {
  private readonly path: string;
  private readonly file: number;
  private readonly sums: RowSums;
  private part = Buffer.allocUnsafeSlow(PART_BYTES + 64 * 1024);
  private used = 0;
  /** Number of rows added so far. */
  rows = 0;
  private readonly store: StoreId;

  constructor(folder: string, store: StoreId) {
    this.path = baseFile(folder, store);
    this.store = store;
    this.file = openSync(`${this.path}.new`, 'w');
    this.sums = new RowSums(store);
  }

  add(key: Uint8Array, value: Uint8Array): void {
    const length = 8 + key.length + value.length;
    if (this.used + length > this.part.length) this.grow(length);
    const { part } = this;
    let at = part.writeUInt32LE(key.length, this.used);
    part.set(key, at);
    at = part.writeUInt32LE(value.length, at + key.length);
    part.set(value, at);
    this.used = at + value.length;
    this.rows++;
    this.sums.add(key, value);
    if (this.used >= PART_BYTES) this.writePart();
  }

  finish(): StoreSum {
    if (this.used > 0) this.writePart();
    const sum = { store: this.store, rows: this.rows, ...this.sums.finish() };
    const end = Buffer.alloc(END_BYTES);
    end.writeBigUInt64LE(BigInt(sum.rows), 0);
    end.set(sum.sha256, 8);
    end.set(sum.digested, 40);
    this.write(end, END);
    fsyncSync(this.file);
    closeSync(this.file);
    renameSync(`${this.path}.new`, this.path);
    return sum;
  }

  /** Closes the file before it is complete. The file keeps its temporary name. */
  abort(): void {
    closeSync(this.file);
  }

  private grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(this.used + length + PART_BYTES);
    this.part.copy(larger, 0, 0, this.used);
    this.part = larger;
  }

  private writePart(): void {
    this.write(compress(this.part.subarray(0, this.used)), this.used);
    this.used = 0;
  }

  private write(bytes: Buffer, size: number): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(size, 4);
    head.writeBigUInt64LE(checksum64(bytes), 8);
    // Unlike `writeSync`, `writeFileSync` throws if the disk has no space for all bytes.
    writeFileSync(this.file, head);
    writeFileSync(this.file, bytes);
  }
}

/** A part of a base file: about 1 MiB of rows of one store, in file order. */
export class BasePart {
  /** Encoded rows. Each row is u32 key length, key, u32 value length, value. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /**
   * Calls `row` for each row. Can be called only once per instance, because it changes `bytes`. The arguments of
   * `row` are views into `bytes`.
   *
   * The method replaces the byte before each key (the last byte of the key length) by the store id. The view
   * `ordered` of this byte and the key is then the LMDB key, without a copy.
   * @returns the number of rows
   */
  visit(store: StoreId, row: (ordered: Buffer, value: Buffer) => void): number {
    const { bytes } = this;
    let rows = 0;
    for (let at = 0; at < bytes.length; rows++) {
      const keyEnd = at + 4 + bytes.readUInt32LE(at);
      const end = keyEnd + 4 + bytes.readUInt32LE(keyEnd);
      bytes[at + 3] = store;
      row(bytes.subarray(at + 3, keyEnd), bytes.subarray(keyEnd + 4, end));
      at = end;
    }
    return rows;
  }
}

/**
 * Reads a file written by {@link BaseRowsWriter}, part by part.
 * @throws {DamageError} the file is truncated or corrupt
 */
export class BaseRowsReader {
  private readonly path: string;
  private readonly file: number;
  private readonly size: number;
  private at = 0;

  constructor(folder: string, store: StoreId) {
    this.path = baseFile(folder, store);
    this.file = openSync(this.path, 'r');
    this.size = fstatSync(this.file).size;
  }

  /** Returns the next part; undefined after the last part. */
  nextPart(): BasePart | undefined {
    const { bytes, size } = this.readPart();
    if (size === END) return undefined;
    const part = uncompress(bytes);
    if (part?.length !== size) throw this.damaged();
    return new BasePart(part);
  }

  /** Reads the trailer at the end of the file: the row count and the two hashes of the store. */
  sum(store: StoreId): StoreSum {
    this.at = this.size - HEAD_BYTES - END_BYTES;
    const { bytes, size } = this.readPart();
    if (size !== END || bytes.length !== END_BYTES) throw this.damaged();
    const rows = Number(bytes.readBigUInt64LE(0));
    return { store, rows, sha256: bytes.subarray(8, 40), digested: bytes.subarray(40) };
  }

  close(): void {
    closeSync(this.file);
  }

  private readPart(): { readonly bytes: Buffer; readonly size: number } {
    const head = this.read(HEAD_BYTES);
    const length = head.readUInt32LE(0);
    const size = head.readUInt32LE(4);
    if (length > PART_BYTES_MAX || (size !== END && size > PART_BYTES_MAX)) throw this.damaged();
    const bytes = this.read(length);
    if (checksum64(bytes) !== head.readBigUInt64LE(8)) throw this.damaged();
    return { bytes, size };
  }

  private read(length: number): Buffer {
    if (this.at < 0 || this.at + length > this.size) throw this.damaged();
    const bytes = Buffer.allocUnsafeSlow(length);
    if (readSync(this.file, bytes, 0, length, this.at) !== length) throw this.damaged();
    this.at += length;
    return bytes;
  }

  private damaged(): DamageError {
    return new DamageError(
      `${this.path} is truncated or corrupt; restore a backup, or run 'tronicle bootstrap' into a new folder`,
    );
  }
}

/** Reads the trailer of the file of one store. @throws {DamageError} the file is truncated or corrupt */
export function readSum(folder: string, store: StoreId): StoreSum {
  const reader = new BaseRowsReader(folder, store);
  try {
    return reader.sum(store);
  } finally {
    reader.close();
  }
}

/**
 * Computes the two hashes of {@link StoreSum}: over the values as stored, and over the values with sorted map
 * entries. Computes only one hash until sorting changes a value for the first time.
 */
export class RowSums {
  readonly store: StoreId;
  /** Number of rows added so far. */
  rows = 0;
  private readonly plain = new LineHash();
  private sorted: LineHash | undefined;

  constructor(store: StoreId) {
    this.store = store;
  }

  add(key: Uint8Array, value: Uint8Array): void {
    this.rows++;
    const sorted = hasMaps(this.store) ? sortedValue(this.store, key, value) : value;
    if (sorted !== value) this.sorted ??= this.plain.copy();
    this.sorted?.add(key, sorted);
    this.plain.add(key, value);
  }

  finish(): { readonly sha256: Uint8Array; readonly digested: Uint8Array } {
    const sha256 = this.plain.finish();
    return { sha256, digested: this.sorted?.finish() ?? sha256 };
  }
}
