import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointOverlay } from './checkpoint-overlay.js';
import { findCheckpoints, findStores } from './data-folder.js';
import { JavaDataError } from './java-data-error.js';
import { JavaStore, type MergedRows, type StoreOrder } from './java-store.js';

/**
 * Check that the rows that are read belong to the expected store. `isRow` is called for each row and returns false
 * for a row that does not belong to the store.
 */
interface RowCheck {
  isRow(key: Buffer, value: Buffer, isLogged: boolean): boolean;
  /** Returns false if all rows together show that the file belongs to another store. Called after the last row. */
  isStore(): boolean;
}

/**
 * A data folder of java-tron with all checkpoints applied. The rows are those that java-tron would have after a
 * start. Never writes to the folder.
 */
export class JavaData {
  private readonly checkOf: ((store: string) => RowCheck) | undefined;
  /** Folder of the stores. */
  readonly folder: string;
  private readonly orders: ReadonlyMap<string, StoreOrder>;
  private readonly overlay: CheckpointOverlay;

  /**
   * Opens the folder and reads its checkpoints.
   * @param path the data folder, or its parent
   * @param orders key orders of the stores that are not sorted by bytes
   * @param checkOf returns a new check for the rows of a store; called once for each call of {@link rows}
   * @throws {JavaDataError} the folder does not exist, or properties or checkpoints are unreadable
   */
  constructor(path: string, orders: ReadonlyMap<string, StoreOrder>, checkOf?: (store: string) => RowCheck) {
    this.checkOf = checkOf;
    this.folder = findStores(path);
    this.orders = orders;
    const checkpoints = findCheckpoints(this.folder);
    this.overlay = new CheckpointOverlay(checkpoints, rowsByName(join(this.folder, 'properties')));
  }

  has(store: string): boolean {
    return existsSync(join(this.folder, store));
  }

  /** Returns the size of a store on disk, in bytes. @throws {JavaDataError} the store is unreadable */
  bytes(store: string): number {
    return this.open(store).bytes;
  }

  /**
   * Returns the rows of a store in its key order, from the key `from` on (default: all rows).
   * @throws {JavaDataError} the store is damaged. Thrown by this call or during the iteration
   */
  rows(store: string, from?: Buffer): MergedRows {
    const isDropped = store === 'account-asset' ? (key: Buffer) => this.overlay.isEmptied(key) : undefined;
    const rows = this.open(store).rows({ newer: this.overlay.rows(store), isDropped, from });
    const check = this.checkOf?.(store);
    if (check === undefined) return rows;
    const step = rows.next.bind(rows);
    rows.next = () => {
      if (!step()) {
        if (from === undefined && !check.isStore()) throw this.error(store, 'contains the rows of another store');
        return false;
      }
      if (check.isRow(rows.key, rows.value, rows.isLogged)) return true;
      throw this.error(store, `row does not belong to this store, key ${rows.key.toString('hex')}`);
    };
    return rows;
  }

  /** Returns the value of a dynamic property, with all checkpoints applied; undefined if it does not exist. */
  property(name: string): Uint8Array | undefined {
    return this.overlay.propertyNow(name);
  }

  /** Returns an error that names a store of this folder. */
  error(store: string, finding: string): JavaDataError {
    return new JavaDataError(join(this.folder, store), finding);
  }

  private open(store: string): JavaStore {
    const order = this.orders.get(store);
    return new JavaStore({
      folder: join(this.folder, store),
      isCovered: (rows) => this.overlay.covers(store, rows),
      ...(order === undefined ? {} : { order }),
    });
  }
}

/**
 * Reads all rows of a small store, without checkpoints. Returns a function that finds a row by its name. Accepts a
 * truncated log, because {@link JavaData.rows} checks the log when it reads the store.
 */
function rowsByName(folder: string): (name: string) => Uint8Array | undefined {
  const found = new Map<string, Uint8Array>();
  const rows = new JavaStore({ folder, isCovered: () => true }).rows();
  while (rows.next()) found.set(rows.key.toString('latin1'), Buffer.from(rows.value));
  rows.close();
  return (name) => found.get(name);
}
