import { itemAt } from '../../primitives/assert.js';
import { compareBytes, equalBytes, utf8 } from '../../primitives/bytes.js';
import type { StoreId } from './stores.js';

// Stored rows contain the entries of protobuf maps in write order, as in java-tron, because clients see this order.
// The order is not part of the state, so the state digest uses sorted entries.

/**
 * Field numbers of the maps in `Account`: asset, latest_asset_operation_time, free_asset_net_usage by asset name, and
 * the same three by token id.
 */
const ACCOUNT_MAPS: ReadonlySet<number> = new Set([6, 18, 20, 56, 58, 59]);
/** Field number of the map `parameters` in `Proposal`. */
const PROPOSAL_MAPS: ReadonlySet<number> = new Set([3]);
const ACCOUNT: StoreId = 1;
const PROPOSAL: StoreId = 10;
const DELEGATION: StoreId = 19;
/** Suffix of the keys in the delegation store whose value is a whole account. */
const ACCOUNT_VOTE = utf8('account-vote');

const MAPS: ReadonlyMap<StoreId, ReadonlySet<number>> = new Map([
  [ACCOUNT, ACCOUNT_MAPS],
  [PROPOSAL, PROPOSAL_MAPS],
  [DELEGATION, ACCOUNT_MAPS],
]);

/** Returns true if rows of a store may contain maps. */
export function hasMaps(store: StoreId): boolean {
  return MAPS.has(store);
}

/** Returns a row value with sorted map entries. If the entries are already sorted, returns the same array. */
export function sortedValue(store: StoreId, key: Uint8Array, value: Uint8Array): Uint8Array {
  const maps = MAPS.get(store);
  if (maps === undefined) return value;
  if (store === DELEGATION && !equalBytes(key.subarray(-ACCOUNT_VOTE.length), ACCOUNT_VOTE)) return value;
  return sortMaps(value, maps);
}

interface Entry {
  readonly key: Uint8Array | number;
  readonly start: number;
  readonly end: number;
}

/** Sorts the entries of each map. The entries of a map are adjacent, because messages are encoded field by field. */
function sortMaps(value: Uint8Array, maps: ReadonlySet<number>): Uint8Array {
  let sorted: Uint8Array | undefined;
  let run: Entry[] = [];
  let field = 0;
  const closeRun = (): void => {
    if (run.some((entry, at) => at > 0 && compareKeys(itemAt(run, at - 1).key, entry.key) > 0)) {
      sorted ??= Uint8Array.from(value);
      let at = itemAt(run, 0).start;
      for (const { start, end } of run.toSorted((a, b) => compareKeys(a.key, b.key))) {
        sorted.set(value.subarray(start, end), at);
        at += end - start;
      }
    }
    run = [];
  };
  for (const at = { position: 0 }; at.position < value.length; ) {
    const start = at.position;
    const tag = varint(value, at);
    const number = tag >>> 3;
    if (number !== field && run.length > 0) closeRun();
    field = number;
    const body = at.position;
    skip(value, at, tag & 7);
    // Malformed data is not a message, so it has no maps to sort.
    if (at.position > value.length) return value;
    if (maps.has(number)) run.push({ key: keyOf(value.subarray(body, at.position)), start, end: at.position });
  }
  if (run.length > 1) closeRun();
  return sorted ?? value;
}

/** Returns the key of a map entry: its field 1, a string or a number. `entry` starts with the length of the entry. */
function keyOf(entry: Uint8Array): Uint8Array | number {
  const at = { position: 0 };
  varint(entry, at);
  const tag = varint(entry, at);
  if ((tag & 7) === 0) return varint(entry, at);
  const length = varint(entry, at);
  return entry.subarray(at.position, at.position + length);
}

function compareKeys(a: Uint8Array | number, b: Uint8Array | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return compareBytes(a, b);
}

/** Decodes a varint up to 2^53. No tag, length or key in a stored row is greater. */
function varint(bytes: Uint8Array, at: { position: number }): number {
  let value = 0;
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[at.position++] ?? 0;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) return value;
  }
}

const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

function skip(bytes: Uint8Array, at: { position: number }, wireType: number): void {
  if (wireType === 0) varint(bytes, at);
  else if (wireType === 2) {
    const length = varint(bytes, at);
    at.position += length;
  } else at.position += FIXED_BYTES[wireType] ?? 0;
}
