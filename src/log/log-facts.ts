import type { BytesTable } from './lmdb/environment.js';
import { openMetaRow, sealMetaRow } from './lmdb/meta-row.js';
import { logDamage } from './log-damage.js';
import { PendingTable } from './pending-table.js';

/** Small named values, each with a checksum, committed with the entries. */
export class LogFacts {
  readonly table: PendingTable;
  private readonly file: string;

  /** @param file path of the log, for errors */
  constructor(table: BytesTable, file: string) {
    this.table = new PendingTable(table);
    this.file = file;
  }

  /** Returns the value of a fact; undefined if it is not set. @throws {DamageError} wrong checksum */
  get(name: string): Buffer | undefined {
    const row = this.table.get(Buffer.from(name));
    if (row === undefined) return undefined;
    const value = openMetaRow(name, row as Buffer);
    if (value === undefined) throw logDamage(this.file, `row '${name}' of table 'meta' is corrupt`);
    return value;
  }

  /** Sets a fact with the next commit; `undefined` deletes it. */
  set(name: string, value: Uint8Array | undefined): void {
    if (value === undefined) this.table.remove(Buffer.from(name));
    else this.table.put(Buffer.from(name), sealMetaRow(name, value));
  }
}
