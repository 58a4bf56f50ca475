import { EMPTY_BYTES, utf8 } from '../primitives/bytes.js';
import { byteRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/**
 * Variables of the chain, such as head, solidified block, parameters, totals and block versions. java-tron calls them
 * dynamic properties.
 */
export const chainProperties = stateProjection({
  name: 'chain-properties',
  version: 1,
  description: 'Variables of the chain: head and solidified block, chain parameters, totals and block versions.',
  stores: {
    /** The encoding of a value depends on its key, see `property-table.ts` in `src/state-transition`. */
    properties: byteRows,
  },
  read: (rows) => ({
    /** Returns the stored bytes of a property; empty bytes if the row was never written. */
    bytes: (name: string): Uint8Array => rows.get('properties', utf8(name)) ?? EMPTY_BYTES,
  }),
});
