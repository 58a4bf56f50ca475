import { existsSync, mkdirSync } from 'node:fs';
import type { JavaData } from '../../java-tron-data/java-data.js';
import { compareBytes } from '../../primitives/bytes.js';
import { BaseRowsWriter, baseFile, readSum, type StoreSum } from '../../projections/checkpoints/base-rows.js';
import { javaStoreIds, MARKET_PAIR_PRICE_TO_ORDER, type StoreId, storeName } from '../../projections/state/stores.js';
import type { Progress } from '../command-line/progress.js';

/** Stores that are missing in some releases. Release 4.7.2 has no `rewards-vi`. */
const OPTIONAL: ReadonlySet<string> = new Set(['rewards-vi']);

/**
 * Writes the state rows of a java-tron data folder to compressed row files, one per store. A file that already exists
 * is complete and is not written again.
 * @param onPacked called after a store is written; its source rows are then no longer needed
 * @throws {JavaDataError} a store is missing or unreadable
 */
export function packStores(
  data: JavaData,
  folder: string,
  progress: Progress,
  onPacked: (name: string) => void = () => {},
): StoreSum[] {
  mkdirSync(folder, { recursive: true });
  const sums: StoreSum[] = [];
  for (const store of javaStoreIds) {
    const name = storeName(store);
    const isPacked = existsSync(baseFile(folder, store));
    if (!isPacked && !data.has(name) && OPTIONAL.has(name)) continue;
    sums.push(isPacked ? readSum(folder, store) : packStore(data, folder, store, progress));
    onPacked(name);
  }
  return sums;
}

function packStore(data: JavaData, folder: string, store: StoreId, progress: Progress): StoreSum {
  const name = storeName(store);
  progress.begin(`store ${name}`, { unit: 'bytes', total: data.bytes(name) });
  const rows = data.rows(name);
  const writer = new BaseRowsWriter(folder, store);
  let isDone = false;
  try {
    if (store === MARKET_PAIR_PRICE_TO_ORDER) {
      // java-tron orders the keys of this store by price, so the iterator does not return them in byte order. The
      // store contains only open market orders, so they are sorted in memory.
      const buffered: [Buffer, Buffer][] = [];
      while (rows.next()) buffered.push([Buffer.from(rows.key), Buffer.from(rows.value)]);
      for (const [key, value] of buffered.sort(([a], [b]) => compareBytes(a, b))) writer.add(key, value);
    } else {
      while (rows.next()) {
        const { key, value } = rows;
        writer.add(key, value);
        progress.add(key.length + value.length);
      }
    }
    const sum = writer.finish();
    isDone = true;
    return sum;
  } finally {
    rows.close();
    if (!isDone) writer.abort();
  }
}
