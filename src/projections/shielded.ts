import { byteRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Data of shielded transfers: the Merkle trees of note commitments, and the nullifiers of spent notes. */
export const shielded = stateProjection({
  name: 'shielded',
  version: 1,
  description: 'Merkle trees of note commitments, and nullifiers of spent notes.',
  stores: {
    IncrementalMerkleTree: byteRows,
    nullifier: byteRows,
  },
  read: (rows) => ({
    isSpent: (nullifier: Uint8Array): boolean => rows.get('nullifier', nullifier) !== undefined,
  }),
});
