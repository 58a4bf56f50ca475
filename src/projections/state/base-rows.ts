import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compress, uncompress } from '../../codec/snappy.js';
import { checksum64 } from '../../crypto/checksum.js';
import { sha256 } from '../../crypto/hash.js';
import { DamageError, UsageError } from '../../primitives/errors.js';
import { LineHash } from './line-hash.js';
import { hasMaps, sortedValue } from './map-order.js';
import { type StoreId, storeName, UNDIGESTED_FROM } from './stores.js';

/** Folder below the data folder with the rows of the base, a file for each store. */
export const BASE_FOLDER = 'base';

/** What is not whole yet lies there: a folder with it does not start. */
export const BOOTSTRAP_FOLDER = 'bootstrap';

/** @throws {UsageError} a data folder whose bootstrap has not ended */
export function refuseUnfinished(dataDir: string): void {
  if (!existsSync(join(dataDir, BOOTSTRAP_FOLDER))) return;
  throw new UsageError(
    `${dataDir} holds an unfinished bootstrap: run 'tronicle bootstrap' again, or delete the folder`,
  );
}

/** Rows are compressed in parts of this size, each with its checksum. */
const PART_BYTES = 1024 * 1024;
const PART_BYTES_MAX = 64 * 1024 * 1024;
const HEAD_BYTES = 16;
/** Length of the part that ends a file: rows, then both sums. */
const END_BYTES = 8 + 32 + 32;
const END = 0xffffffff;

/** What a file holds: the number of its rows, SHA-256 over lines `<key hex> <value hex>\n` in the order of the keys. */
export interface StoreSum {
  readonly store: StoreId;
  readonly rows: number;
  readonly sha256: Uint8Array;
  /** The same with the entries of maps sorted: the form of the digest. */
  readonly digested: Uint8Array;
}

export function baseFile(folder: string, store: StoreId): string {
  return join(folder, `${String(store).padStart(3, '0')}-${storeName(store)}.rows`);
}

/**
 * Digest of a base: SHA-256(32 zero bytes ‖ block id ‖ for each digested store u8 id ‖ u64 rows ‖ SHA-256 of its rows).
 */
export function baseDigest(blockId: Uint8Array, sums: readonly StoreSum[]): Uint8Array {
  const parts = sums
    .filter(({ store, rows }) => store < UNDIGESTED_FROM && rows > 0)
    .toSorted((a, b) => a.store - b.store)
    .map(({ store, rows, digested }) => {
      const head = Buffer.alloc(9);
      head[0] = store;
      head.writeBigUInt64BE(BigInt(rows), 1);
      return Buffer.concat([head, digested]);
    });
  return sha256(new Uint8Array(32), blockId, ...parts);
}

/** Writes the rows of one store, ascending; the file has its name when it is whole and on the disk. */
export class BaseRowsWriter {
  private readonly path: string;
  private readonly file: number;
  private readonly sums: RowSums;
  private part = Buffer.allocUnsafeSlow(PART_BYTES + 64 * 1024);
  private used = 0;
  /** Rows so far. */
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

  /** Ends without a file. */
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
    writeSync(this.file, head);
    writeSync(this.file, bytes);
  }
}

/** Rows of one part of a file, in its order. */
export class BasePart {
  /** Bytes of keys and values, with 8 more for each row. */
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /**
   * Visits each row once; what it gives are views.
   * @param store written in front of each key, so that `ordered` is the key inside LMDB without a copy: the place is
   * the highest byte of the key's length, which has been read by then and is not read again
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

/** Reads a file that {@link BaseRowsWriter} finished, part by part. @throws {DamageError} */
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

  /** The next part, `undefined` after the last. */
  nextPart(): BasePart | undefined {
    const { bytes, size } = this.readPart();
    if (size === END) return undefined;
    const part = uncompress(bytes);
    if (part?.length !== size) throw this.damaged();
    return new BasePart(part);
  }

  /** What the file says of itself at its end. */
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
      `${this.path} is damaged: it is not what was written; run 'tronicle bootstrap' into a new folder`,
    );
  }
}

/** @throws {DamageError} */
export function readSum(folder: string, store: StoreId): StoreSum {
  const reader = new BaseRowsReader(folder, store);
  try {
    return reader.sum(store);
  } finally {
    reader.close();
  }
}

/** Both sums over rows; the second begins where a row first differs with its maps sorted. */
class RowSums {
  private readonly store: StoreId;
  private readonly plain = new LineHash();
  private sorted: LineHash | undefined;

  constructor(store: StoreId) {
    this.store = store;
  }

  add(key: Uint8Array, value: Uint8Array): void {
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
