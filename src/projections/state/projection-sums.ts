import { stateProjections } from '../state-projections.js';
import type { StoreTotals } from './state-cursor.js';

/** Row count and checksum of a projection. Two nodes with the same rows have the same values. */
export interface ProjectionSum {
  readonly name: string;
  readonly version: number;
  readonly rows: number;
  /**
   * Sum of the row checksums, modulo 2^64, in hex. It covers the stored bytes. So it differs from that of another node
   * if only the order of map entries differs.
   */
  readonly checksum: string;
}

/** Returns the sums of all projections from the totals of their stores, which each commit updates. Reads no row. */
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
