import { Proposal, Witness } from '../codec/generated/messages.js';
import { ADDRESS_BYTES, type Address, toAddress } from '../primitives/address.js';
import { utf8 } from '../primitives/bytes.js';
import { byteRows, messageRows } from './state/row-codecs.js';
import { stateProjection } from './state/state-projection.js';

/** Key of the row with the active witnesses in the schedule store. */
export const ACTIVE_WITNESSES = utf8('active_witnesses');

/** Witnesses, their schedule, and proposals to change chain parameters. */
export const governance = stateProjection({
  name: 'governance',
  version: 1,
  description: 'Witnesses with votes and produced blocks, the schedule of active witnesses, and proposals.',
  stores: {
    witness: messageRows(Witness),
    /**
     * Each row is a list of concatenated witness addresses, for example the active witnesses in the order of the
     * schedule.
     */
    witness_schedule: byteRows,
    proposal: messageRows(Proposal),
  },
  read: (rows) => ({
    witness: (address: Uint8Array) => rows.get('witness', address),
    /** Returns the witnesses that produce blocks, in the order of the schedule. */
    activeWitnesses: (): readonly Address[] => addressesIn(rows.get('witness_schedule', ACTIVE_WITNESSES)),
  }),
});

/** Returns the addresses in a row of the schedule; an empty list if the row is missing. */
export function addressesIn(row: Uint8Array | undefined): Address[] {
  if (row === undefined) return [];
  const count = Math.floor(row.length / ADDRESS_BYTES);
  return Array.from({ length: count }, (_, at) =>
    toAddress(row.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES)),
  );
}
