import { toHex } from '../../../primitives/bytes.js';
import { TronError } from '../../../primitives/errors.js';
import type { HistoryPosition } from '../../../projections/indexes/history-key.js';
import { INDEX_PLACES, type IndexValues } from '../../../projections/indexes/index-definition.js';
import { findIndex, indexNames } from '../../../projections/indexes/indexes.js';
import { type IndexPage, type IndexSource, readIndexPage } from '../../indexes/index-pages.js';
import { type RpcEntry, rpcMethod } from '../envelope.js';
import { int64Parameter, textParameter } from '../parameters.js';
import { quantity, type RpcForm, readHexAddress } from '../quantities.js';
import { invalidParams } from '../rpc-error.js';

const LIMIT_DEFAULT = 20n;
const LIMIT_MAX = 100n;

/**
 * Returns the method `tronicle_getIndex(name, address, limit?, cursor?)`. The method returns a page of an index, newest
 * entries first. The `cursor` of a response is the parameter for the next page. On the last page, it is null.
 */
export function indexMethods(source: IndexSource, form: RpcForm): RpcEntry[] {
  return [
    rpcMethod<[string | null, string | null, bigint | null, string | null]>(
      'tronicle_getIndex',
      [textParameter, textParameter, int64Parameter, textParameter],
      (name, address, limit, cursor) => {
        const index = findIndex(name);
        if (index === undefined) throw invalidParams(`unknown index; use ${indexNames}`);
        const count = limit ?? LIMIT_DEFAULT;
        if (count < 1n || count > LIMIT_MAX) throw invalidParams(`limit must be 1..${LIMIT_MAX}`);
        const before = cursor === null ? undefined : readCursor(cursor);
        try {
          return shown(readIndexPage(source, index, readHexAddress(address, form), { limit: Number(count), before }));
        } catch (error) {
          if (error instanceof TronError && error.code === 'PROJECTION_OFF') throw invalidParams(error.message);
          throw error;
        }
      },
      2,
    ),
  ];
}

function shown({ items, next, upTo }: IndexPage): object {
  return {
    items: items.map(({ blockNumber, transactionIndex, transactionId, values }) => ({
      blockNumber: quantity(blockNumber),
      transactionIndex: quantity(transactionIndex),
      transactionHash: `0x${toHex(transactionId)}`,
      ...shownValues(values),
    })),
    upTo: upTo < 0 ? null : quantity(upTo),
    cursor: next === undefined ? null : next.join('-'),
  };
}

/** Returns the values of an index entry as text. As in JSON-RPC, addresses have 20 bytes, without the prefix byte. */
function shownValues(values: IndexValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Uint8Array
        ? `0x${toHex(value.subarray(1))}`
        : typeof value === 'bigint'
          ? `0x${value.toString(16)}`
          : value,
    ]),
  );
}

function readCursor(cursor: string): HistoryPosition {
  const places = cursor.split('-').map(Number);
  if (places.length !== INDEX_PLACES || !places.every((place) => Number.isSafeInteger(place) && place >= 0))
    throw invalidParams('invalid cursor; use one from a previous page');
  return places as unknown as HistoryPosition;
}
