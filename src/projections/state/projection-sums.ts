import { stateProjections } from '../state-projections.js';
import type { StoreTotals } from './state-cursor.js';

/** Row count and checksum of a projection, to compare two nodes. */
export interface ProjectionSum {
  readonly name: string;
  readonly version: number;
  readonly rows: number;
  /**
   * Sum of the checksums of the stored rows, modulo 2^64, in hex. Two rows that differ only in the order of map entries
   * have different checksums, but the same state digest.
   */
  readonly checksum: string;
}

/**
 * Returns row count and checksum of each projection: the sums over its stores. Each commit updates the totals of the
 * stores, so no rows are read.
 */
export function projectionSums(totals: StoreTotals): readonly ProjectionSum[] {
  return stateProjections.map(({ name, version, storeIds }) => {
    const ofStores = storeIds.flatMap((store) => totals.get(store) ?? []);
    const sum = ofStores.reduce((all, store) => BigInt.asUintN(64, all + store.sum), 0n);
    return {
      name,
      version,
      rows: ofStores.reduce((all, store) => all + store.rows, 0),
      checksum: sum.toString(16).padStart(16, '0'),
    };
  });
}
