import { join } from 'node:path';
import { checksum64 } from '../../crypto/checksum.js';
import { type BytesTable, type Environment, KEY_BYTES_MAX, openEnvironment } from '../../log/lmdb/environment.js';
import { openMetaRow, sealMetaRow } from '../../log/lmdb/meta-row.js';
import { itemAt } from '../../primitives/assert.js';
import { DamageError } from '../../primitives/errors.js';
import type { StateRow } from '../state/state-reader.js';
import type { Projection } from './projection.js';

/** Folder below the data folder. It can be deleted: the next start rebuilds it from the log. */
export const PROJECTIONS_FOLDER = 'projections';

/** Progress of a secondary projection in the log, and the version of its rows. */
interface ProjectionCursor {
  readonly version: number;
  /** Seq of the newest processed entry; -1 if none was processed. */
  readonly seq: number;
}

/** Row and bit changes of one projection. */
export interface ProjectionWrite {
  /** Row changes, applied in this order. */
  readonly rows: readonly ProjectionRowWrite[];
  readonly bits: readonly BitsWrite[];
}

/** A row to store, or to delete if the value is undefined. */
export interface ProjectionRowWrite {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Bits to set or to clear in one bit set. */
interface BitsWrite {
  readonly key: Uint8Array;
  /** Size of the whole set, in bits. */
  readonly size: number;
  readonly values: ReadonlyMap<number, boolean>;
}

const CURSORS = 'cursors';

/**
 * The rows of the secondary projections (indexes that are not part of the state) in `<data>/projections`. Each
 * projection has one table and one cursor.
 */
export class ProjectionDatabase {
  private readonly environment: Environment;
  private readonly cursors: BytesTable;
  private readonly tables = new Map<string, BytesTable>();
  private readonly file: string;

  constructor(dataDir: string, { readOnly }: { readonly readOnly: boolean }) {
    const folder = join(dataDir, PROJECTIONS_FOLDER);
    this.environment = openEnvironment(folder, { readOnly });
    this.file = join(folder, 'data.mdb');
    this.cursors = this.environment.table(CURSORS);
  }

  cursor(name: string): ProjectionCursor | undefined {
    const row = this.cursors.getBinary(Buffer.from(name));
    if (row === undefined) return undefined;
    const value = openMetaRow(name, row);
    if (value === undefined) throw projectionDamage(this.file, `the cursor of ${name} is corrupt`);
    return { version: value.readUInt32BE(0), seq: Number(value.readBigInt64BE(4)) };
  }

  /** Iterates over all projections that were ever enabled, with their cursors. */
  *cursorsByName(): IterableIterator<readonly [name: string, cursor: ProjectionCursor]> {
    for (const key of this.cursors.getKeys({})) {
      const name = Buffer.from(key).toString();
      yield [name, this.cursor(name) as ProjectionCursor];
    }
  }

  /**
   * Applies changes and sets the cursors of the projections to the entry `seq`, in one transaction.
   * @throws {TronError} STORAGE_FAILED: the write failed
   */
  commit(writes: ReadonlyMap<Projection, ProjectionWrite>, seq: number): void {
    this.environment.commit(() => {
      for (const [{ name, version }, write] of writes) {
        this.write(name, write);
        this.cursors.putSync(Buffer.from(name), sealMetaRow(name, cursorBytes({ version, seq })));
      }
    });
  }

  /** Deletes all rows of a projection and sets its cursor, so that the projection is rebuilt. */
  clear(name: string, cursor: ProjectionCursor): void {
    const table = this.table(name);
    this.environment.commit(() => {
      table.clearSync();
      this.cursors.putSync(Buffer.from(name), sealMetaRow(name, cursorBytes(cursor)));
    });
  }

  /**
   * Iterates over the rows whose keys start with `prefix`. The order is ascending from `from` (inclusive), or with
   * `reverse` descending from `below` (inclusive).
   */
  *range(
    name: string,
    prefix: Uint8Array,
    options: {
      readonly reverse?: boolean;
      readonly limit?: number;
      readonly below?: Uint8Array;
      readonly from?: Uint8Array;
    } = {},
  ): Iterable<StateRow> {
    const { reverse = false, limit = Number.POSITIVE_INFINITY, below, from } = options;
    const low = Buffer.from(prefix);
    const high = below === undefined ? Buffer.concat([low, Buffer.alloc(64, 0xff)]) : Buffer.from(below);
    const bounds = reverse ? { start: high, reverse } : { start: from === undefined ? low : Buffer.from(from) };
    let left = limit;
    for (const { key, value } of this.table(name).getRange(bounds)) {
      if (left-- <= 0 || !Buffer.from(key).subarray(0, low.length).equals(low)) return;
      yield { key, value: this.open(name, key, value) };
    }
  }

  get(name: string, key: Uint8Array): Uint8Array | undefined {
    if (key.length > KEY_BYTES_MAX) return undefined;
    const bytes = this.table(name).getBinary(key);
    return bytes && this.open(name, key, bytes);
  }

  /** Makes newer commits visible in a reading thread. */
  refresh(): void {
    this.environment.refresh();
  }

  close(): Promise<void> {
    return this.environment.close();
  }

  private write(name: string, { rows, bits }: ProjectionWrite): void {
    const table = this.table(name);
    for (const { key, value } of rows) {
      if (value === undefined) table.removeSync(key);
      else table.putSync(key, seal(key, value));
    }
    for (const write of bits) this.changeBits(name, table, write);
  }

  private table(name: string): BytesTable {
    const known = this.tables.get(name);
    if (known) return known;
    const table = this.environment.table(`rows ${name}`);
    this.tables.set(name, table);
    return table;
  }

  private changeBits(name: string, table: BytesTable, { key, size, values }: BitsWrite): void {
    const stored = table.getBinary(key);
    const set = Buffer.alloc(size / 8);
    if (stored !== undefined) set.set(this.open(name, key, stored));
    for (const [bitIndex, isSet] of values) {
      const byte = itemAt(set, bitIndex >> 3);
      const bit = 1 << (bitIndex & 7);
      set[bitIndex >> 3] = isSet ? byte | bit : byte & ~bit;
    }
    // Deletes a bit set without bits, because the set had no row before its first block. A revert therefore restores
    // exactly the earlier rows.
    if (set.every((byte) => byte === 0)) table.removeSync(key);
    else table.putSync(key, seal(key, set));
  }

  private open(name: string, key: Uint8Array, bytes: Buffer): Uint8Array {
    if (!isSealed(key, bytes)) throw projectionDamage(this.file, `a row of ${name} is corrupt`);
    return bytes.subarray(0, -8);
  }
}

/** Returns the error for a damaged database of secondary projections. */
export function projectionDamage(file: string, finding: string): DamageError {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return new DamageError(
    `${file} is damaged: ${finding}; delete the folder ${folder} and restart the node, which builds the folder again from the log`,
  );
}

/** Returns true if the checksum at the end of a stored value matches. */
export function isSealed(key: Uint8Array, bytes: Buffer): boolean {
  const end = bytes.length - 8;
  return end >= 0 && bytes.readBigUInt64BE(end) === checksum64(bytes.subarray(0, end), checksum64(key));
}

function seal(key: Uint8Array, value: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(value.length + 8);
  bytes.set(value, 0);
  bytes.writeBigUInt64BE(checksum64(value, checksum64(key)), value.length);
  return bytes;
}

function cursorBytes({ version, seq }: ProjectionCursor): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(version, 0);
  bytes.writeBigInt64BE(BigInt(seq), 4);
  return bytes;
}
