import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointOverlay } from './checkpoint-overlay.js';
import { findCheckpoints, findStores } from './data-folder.js';
import { JavaDataError } from './java-data-error.js';
import { JavaStore, type MergedRows, type StoreOrder } from './java-store.js';

/** Tells rows of a store from those of another. */
interface RowCheck {
  isRow(key: Buffer, value: Buffer, isLogged: boolean): boolean;
  /** Asked behind the last row, where all were read. */
  isStore(): boolean;
}

/**
 * A data folder of java-tron, as the reference would have it after its start: all stores with the checkpoints applied.
 * Nothing in it is ever written.
 */
export class JavaData {
  private readonly checkOf: ((store: string) => RowCheck) | undefined;
  /** Folder of the stores. */
  readonly folder: string;
  private readonly orders: ReadonlyMap<string, StoreOrder>;
  private readonly overlay: CheckpointOverlay;

  /**
   * @param path the folder, or one above it
   * @param orders of the stores that are not sorted by bytes
   * @param checkOf what knows the rows of a store, asked once for each reading
   * @throws {JavaDataError} no such folder, or properties or checkpoints that cannot be read
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

  /** Bytes on the disk of a store. @throws {JavaDataError} */
  bytes(store: string): number {
    return this.open(store).bytes;
  }

  /** Rows of a store, ascending in the order of the store. @throws {JavaDataError} now or while they are read */
  rows(store: string, from?: Buffer): MergedRows {
    const isDropped = store === 'account-asset' ? (key: Buffer) => this.overlay.isEmptied(key) : undefined;
    const rows = this.open(store).rows({ newer: this.overlay.rows(store), isDropped, from });
    const check = this.checkOf?.(store);
    if (check === undefined) return rows;
    const step = rows.next.bind(rows);
    rows.next = () => {
      if (!step()) {
        if (from === undefined && !check.isStore()) throw this.error(store, 'it holds the rows of another store');
        return false;
      }
      if (check.isRow(rows.key, rows.value, rows.isLogged)) return true;
      throw this.error(store, `it holds a row that is none of its own, key ${rows.key.toString('hex')}`);
    };
    return rows;
  }

  /** Value of a dynamic property. */
  property(name: string): Uint8Array | undefined {
    return this.overlay.propertyNow(name);
  }

  /** An error about a store of this folder. */
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
 * All rows of a small store by their key as text, without checkpoints. A log that is cut off is judged when all is
 * known.
 */
function rowsByName(folder: string): (name: string) => Uint8Array | undefined {
  const found = new Map<string, Uint8Array>();
  const rows = new JavaStore({ folder, isCovered: () => true }).rows();
  while (rows.next()) found.set(rows.key.toString('latin1'), Buffer.from(rows.value));
  rows.close();
  return (name) => found.get(name);
}
