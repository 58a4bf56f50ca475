import { existsSync, mkdirSync } from 'node:fs';
import type { JavaData } from '../../java-tron-data/java-data.js';
import { compareBytes } from '../../primitives/bytes.js';
import { BaseRowsWriter, baseFile, readSum, type StoreSum } from '../../projections/state/base-rows.js';
import { javaStoreIds, MARKET_PAIR_PRICE_TO_ORDER, type StoreId, storeName } from '../../projections/state/stores.js';
import type { ProgressMeter } from './progress.js';

/** Stores that not every release has: release 4.7.2 knows no `rewards-vi`. */
const OPTIONAL: ReadonlySet<string> = new Set(['rewards-vi']);

/**
 * Writes the state's rows of a data folder into packed files, a store each. Those that are there already are whole and
 * stay.
 * @param onPacked told of each store whose rows the source is not asked for any more @throws {JavaDataError} a store
 * that is missing or cannot be read
 */
export function packStores(
  data: JavaData,
  folder: string,
  meter: ProgressMeter,
  onPacked: (name: string) => void = () => {},
): StoreSum[] {
  mkdirSync(folder, { recursive: true });
  const sums: StoreSum[] = [];
  for (const store of javaStoreIds) {
    const name = storeName(store);
    const isPacked = existsSync(baseFile(folder, store));
    if (!isPacked && !data.has(name) && OPTIONAL.has(name)) continue;
    sums.push(isPacked ? readSum(folder, store) : packStore(data, folder, store, meter));
    onPacked(name);
  }
  return sums;
}

function packStore(data: JavaData, folder: string, store: StoreId, meter: ProgressMeter): StoreSum {
  const name = storeName(store);
  meter.begin(`store ${name}`, data.bytes(name));
  const rows = data.rows(name);
  const writer = new BaseRowsWriter(folder, store);
  let isDone = false;
  try {
    if (store === MARKET_PAIR_PRICE_TO_ORDER) {
      // The one store whose order is not that of its bytes; it holds open orders only, and is sorted here.
      const held: [Buffer, Buffer][] = [];
      while (rows.next()) held.push([Buffer.from(rows.key), Buffer.from(rows.value)]);
      for (const [key, value] of held.sort(([a], [b]) => compareBytes(a, b))) writer.add(key, value);
    } else {
      while (rows.next()) {
        const { key, value } = rows;
        writer.add(key, value);
        meter.add(1, key.length + value.length);
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
