import type { BytesTable } from './lmdb/environment.js';

/** An LMDB table with uncommitted writes on top. */
export class PendingTable {
  readonly table: BytesTable;
  private readonly uncommitted = new Map<string, Uint8Array | undefined>();

  constructor(table: BytesTable) {
    this.table = table;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    if (this.uncommitted.size > 0) {
      const text = latin1(key);
      const value = this.uncommitted.get(text);
      if (value !== undefined || this.uncommitted.has(text)) return value;
    }
    return this.table.getBinary(key);
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.uncommitted.set(latin1(key), value);
  }

  remove(key: Uint8Array): void {
    this.uncommitted.set(latin1(key), undefined);
  }

  /**
   * Writes the uncommitted rows. Must be called within a database transaction. Sorts the keys first, so that
   * consecutive writes use the same LMDB page.
   */
  write(): void {
    const keys = [...this.uncommitted.keys()].sort();
    for (const text of keys) {
      const key = Buffer.from(text, 'latin1');
      const value = this.uncommitted.get(text);
      if (value === undefined) this.table.removeSync(key);
      else this.table.putSync(key, value as Buffer);
    }
  }

  /** Deletes the written rows from memory. Must be called after the database transaction was committed. */
  clear(): void {
    this.uncommitted.clear();
  }
}

function latin1(key: Uint8Array): string {
  return (Buffer.isBuffer(key) ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)).toString('latin1');
}
