import { decodeBase58Check } from '../../../crypto/base58-check.js';
import { present } from '../../../primitives/assert.js';
import { toHex } from '../../../primitives/bytes.js';
import { TronError } from '../../../primitives/errors.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import { jsonOf } from '../../../streams/records/event-json.js';
import { type StateChangeEvent, stateChanges } from '../../../streams/records/triggers/change-trigger.js';
import type { ReadBlock } from '../../context/read-block.js';

/** Conditions for account changes, with the field names of the schema. */
export interface AccountChangeFilter {
  readonly addresses?: readonly Uint8Array[] | null;
  readonly kinds?: readonly string[] | null;
}

/** An account change, with the field names of the schema. */
export interface AccountChange {
  readonly kind: string;
  readonly address: Uint8Array;
  readonly blockNumber: number;
  readonly resource: string | undefined;
  readonly to: Uint8Array | undefined;
  /** Value before the block, as JSON text. */
  readonly before: string;
  /** Value after the block, as JSON text. */
  readonly after: string;
}

/** Returns a function that selects the changes of a block that match a filter. */
export function changeSelector(
  ledger: Ledger,
  { addresses, kinds }: AccountChangeFilter,
): (block: ReadBlock) => readonly AccountChange[] {
  const selected = addresses?.length ? new Set(addresses.map(toHex)) : undefined;
  const wantedKinds = kinds?.length ? new Set(kinds) : undefined;
  return (block) =>
    changesOf(ledger, block).filter(({ kind, address, to }) => {
      if (wantedKinds !== undefined && !wantedKinds.has(kind)) return false;
      return selected === undefined || selected.has(toHex(address)) || (to !== undefined && selected.has(toHex(to)));
    });
}

/** Changes of recently read blocks, shared by all subscriptions. */
const known = new WeakMap<ReadBlock, readonly AccountChange[]>();

/**
 * Returns all account changes of a block.
 * @throws {TronError} HISTORY_NOT_KEPT: the row changes of the block are pruned
 */
function changesOf(ledger: Ledger, block: ReadBlock): readonly AccountChange[] {
  const found = known.get(block);
  if (found !== undefined) return found;
  const { entry, number, id, header } = block;
  const changes = ledger.changes(entry.seq);
  if (changes === undefined)
    throw new TronError(
      'HISTORY_NOT_KEPT',
      `the row changes of block ${number} were deleted; tronicle.history.retention sets the number of blocks to keep`,
    );
  const position = { number, id: toHex(id), timeMs: BigInt(header.timestamp) };
  const shown = stateChanges(position, changes.rows, false).map((change) => shownChange(number, change));
  known.set(block, shown);
  return shown;
}

function shownChange(
  blockNumber: number,
  { trigger, address, resource, to, before, after }: StateChangeEvent,
): AccountChange {
  return {
    kind: trigger.toUpperCase(),
    address: present(decodeBase58Check(address), 'account changes contain valid Base58Check addresses'),
    blockNumber,
    resource,
    to: to === undefined ? undefined : decodeBase58Check(to),
    before: jsonOf(before),
    after: jsonOf(after),
  };
}
