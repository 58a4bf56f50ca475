import { existsSync } from 'node:fs';
import { copyBytes } from '../../primitives/bytes.js';
import { DamageError } from '../../primitives/errors.js';
import { orderedKey } from '../state/ordered-key.js';
import type { StateCursor } from '../state/state-cursor.js';
import type { BaseProgress, StateDatabase } from '../state/state-database.js';
import { MARKET_PAIR_PRICE_TO_ORDER, type StoreId, storeIds } from '../state/stores.js';
import { type BasePart, BaseRowsReader, baseFile } from './base-rows.js';

/**
 * Maximum number of file parts that one LMDB transaction loads: about 12 MB of rows. LMDB keeps all changed pages of a
 * transaction in memory.
 */
const PARTS_MAX = 12;

interface LoadBaseOptions {
  /** Folder of the files of the base (the imported state). */
  readonly folder: string;
  readonly state: StateDatabase;
  /** Cursor of the state after all rows are loaded. */
  readonly cursor: Omit<StateCursor, 'totals'>;
  /** Stores to load. The default is all stores. */
  readonly stores?: readonly StoreId[] | undefined;
  readonly onProgress?: (rows: number, bytes: number) => void;
}

/**
 * Loads the rows of a base (the imported state) into an empty state. Rows in ascending order are appended, so that
 * LMDB fills its pages completely. After an interruption, the next call continues after the last committed
 * transaction.
 * @throws {DamageError} a file is corrupt
 */
export function loadBase({ folder, state, cursor, stores = storeIds, onProgress }: LoadBaseOptions): StateCursor {
  let progress: BaseProgress = state.baseProgress() ?? { store: 0, parts: 0, totals: new Map() };
  for (const store of stores) {
    if (store < progress.store || !existsSync(baseFile(folder, store))) continue;
    const reader = new BaseRowsReader(folder, store);
    try {
      progress = loadStore(reader, state, store, progress, onProgress);
      const { rows } = reader.sum(store);
      const loaded = progress.totals.get(store)?.rows ?? 0;
      if (rows !== loaded)
        throw new DamageError(
          `${baseFile(folder, store)} is damaged: ${loaded} rows were read, but its trailer has the row count ${rows}; restore a backup, or run 'tronicle bootstrap' into a new folder`,
        );
    } finally {
      reader.close();
    }
  }
  return { ...cursor, totals: state.finishBase(cursor, progress.totals) };
}

function loadStore(
  reader: BaseRowsReader,
  state: StateDatabase,
  store: StoreId,
  start: BaseProgress,
  onProgress: LoadBaseOptions['onProgress'],
): BaseProgress {
  let progress = start.store === store ? start : { ...start, store, parts: 0 };
  let batch: BasePart[] = [];
  let parts = 0;
  // In LMDB, the keys of this store have another order and encoding than in the file. Its rows are therefore inserted
  // with converted keys, and not appended.
  const isByPrice = store === MARKET_PAIR_PRICE_TO_ORDER;
  const write = (): void => {
    const before = progress.totals.get(store)?.rows ?? 0;
    progress = state.loadRows({ ...progress, parts }, !isByPrice, (put) => {
      for (const part of batch) {
        part.visit(store, (ordered, value) => put(isByPrice ? orderedKey(store, ordered.subarray(1)) : ordered, value));
      }
    });
    const bytes = batch.reduce((sum, part) => sum + part.bytes.length, 0);
    onProgress?.((progress.totals.get(store)?.rows ?? 0) - before, bytes);
    batch = [];
  };
  for (let part = reader.nextPart(); part !== undefined; part = reader.nextPart()) {
    if (parts++ < progress.parts) continue;
    batch.push(part);
    if (batch.length >= PARTS_MAX) write();
  }
  if (batch.length > 0) write();
  return progress;
}

/** Returns the state cursor for the `base` entry of a log (the imported state). Copies the id and the digest. */
export function baseCursor(base: {
  readonly seq: number;
  readonly number: number;
  readonly id: Uint8Array;
  readonly digest: Uint8Array;
}): Omit<StateCursor, 'totals'> {
  return { seq: base.seq, number: base.number, id: copyBytes(base.id), digest: copyBytes(base.digest) };
}
