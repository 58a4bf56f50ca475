import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { varint } from '../primitives/bytes.js';
import { crc32c } from '../primitives/crc32c.js';
import { VALUE } from './row-cursor.js';
import { maskCrc } from './tables/mask-crc.js';
import { TableWriter } from './tables/table-writer.js';

/**
 * Level of the written tables: the last level. LevelDB does not compact this level because of its size, so that
 * tables may have any size.
 */
const LEVEL = 6;
const TABLE_BYTES = 32 * 1024 * 1024;
const FIRST_TABLE = 5;
const LOG = 3;
const MANIFEST = 2;
/** Sequence number of all rows. All rows may have the same number, because no key occurs twice. */
const SEQUENCE = 1;

interface WrittenTable {
  readonly number: number;
  readonly size: number;
  readonly smallest: Uint8Array;
  readonly largest: Uint8Array;
}

/** Writes a LevelDB folder with the given rows: tables, manifest, and an empty log. */
export class StoreWriter {
  private readonly folder: string;
  private readonly comparator: string;
  private readonly tables: WrittenTable[] = [];
  private file: number | undefined;
  private table: TableWriter | undefined;
  private smallest: Uint8Array = new Uint8Array(0);
  private largest: Uint8Array = new Uint8Array(0);

  /** Creates the folder. @param folder path of the new folder @param comparator name of the key order of the rows */
  constructor(folder: string, comparator: string) {
    this.folder = folder;
    this.comparator = comparator;
    mkdirSync(folder, { recursive: true });
  }

  add(key: Uint8Array, value: Uint8Array): void {
    const internal = Buffer.alloc(key.length + 8);
    internal.set(key, 0);
    internal.writeUInt32LE(SEQUENCE * 256 + VALUE, key.length);
    this.table ??= this.openTable(internal);
    this.table.add(internal, value);
    this.largest = internal;
    if (this.table.size >= TABLE_BYTES) this.endTable();
  }

  finish(): void {
    this.endTable();
    writeFileSync(join(this.folder, `${digits(LOG)}.log`), '', { flush: true });
    const name = `MANIFEST-${digits(MANIFEST)}`;
    writeFileSync(join(this.folder, name), logRecords(this.edit()), { flush: true });
    writeFileSync(join(this.folder, 'CURRENT'), `${name}\n`, { flush: true });
  }

  private openTable(first: Uint8Array): TableWriter {
    this.smallest = first;
    this.file = openSync(join(this.folder, `${digits(this.next)}.sst`), 'wx');
    return new TableWriter(this.file);
  }

  private endTable(): void {
    if (this.table === undefined || this.file === undefined) return;
    this.table.finish();
    fsyncSync(this.file);
    closeSync(this.file);
    this.tables.push({ number: this.next, size: this.table.size, smallest: this.smallest, largest: this.largest });
    this.table = undefined;
  }

  private get next(): number {
    return FIRST_TABLE + this.tables.length;
  }

  /** Returns the only edit in the manifest. Its tags are those in `manifest.ts`. */
  private edit(): Buffer {
    const text = (bytes: Uint8Array): Uint8Array[] => [Buffer.from(varint(bytes.length)), bytes];
    const numbers = (...values: number[]): Uint8Array => Buffer.from(values.flatMap(varint));
    return Buffer.concat([
      numbers(1),
      ...text(Buffer.from(this.comparator)),
      numbers(2, LOG, 9, 0, 3, this.next, 4, SEQUENCE),
      ...this.tables.flatMap(({ number, size, smallest, largest }) => [
        numbers(7, LEVEL, number, size),
        ...text(smallest),
        ...text(largest),
      ]),
    ]);
  }
}

function digits(number: number): string {
  return String(number).padStart(6, '0');
}

const LOG_BLOCK_BYTES = 32_768;
const LOG_HEAD_BYTES = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * Encodes one record of a log or manifest. A record that crosses the border of a 32-KiB block is split into
 * fragments.
 */
export function logRecords(record: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  const capacity = LOG_BLOCK_BYTES - LOG_HEAD_BYTES;
  for (let at = 0; at < record.length || at === 0; at += capacity) {
    const piece = record.subarray(at, at + capacity);
    const [isFirst, isLast] = [at === 0, at + capacity >= record.length];
    const head = Buffer.alloc(LOG_HEAD_BYTES);
    head.writeUInt16LE(piece.length, 4);
    head.writeUInt8(isFirst ? (isLast ? FULL : FIRST) : isLast ? LAST : MIDDLE, 6);
    head.writeUInt32LE(maskCrc(crc32c(head.subarray(6, 7), piece)), 0);
    parts.push(head, piece as Buffer);
  }
  return Buffer.concat(parts);
}
