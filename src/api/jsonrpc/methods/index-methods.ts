import { toHex } from '../../../primitives/bytes.js';
import { TronError } from '../../../primitives/errors.js';
import type { IndexDefinition, IndexValues } from '../../../projections/indexes/index-definition.js';
import { findIndex, indexNames } from '../../../projections/indexes/indexes.js';
import {
  decodeIndexCursor,
  encodeIndexCursor,
  type IndexCursor,
  type IndexPage,
  type IndexSource,
  indexPage,
} from '../../indexes/index-pages.js';
import { heightOfTag } from '../block-choice.js';
import { type RpcEntry, rpcMethod } from '../envelope.js';
import { int64Parameter, textParameter } from '../parameters.js';
import { quantity, readHexAddress } from '../quantities.js';
import { internalError, invalidParams } from '../rpc-error.js';
import type { RpcContext } from './rpc-context.js';

const LIMIT_DEFAULT = 20n;
const LIMIT_MAX = 100n;

/** Parameters of `tronicle_getIndex`, as the parameter readers return them. */
type IndexParameters = [
  name: string | null,
  address: string | null,
  limit: bigint | null,
  cursor: string | null,
  block: string | null,
];

/**
 * Returns the method `tronicle_getIndex(name, address, limit?, cursor?, block?)`. The method returns a page of an index
 * as it was after a block. `block` is a tag or a number. Default: the newest block. The `cursor` of a response is the
 * parameter for the next page. On the last page, the cursor is null.
 */
export function indexMethods(context: RpcContext, source: IndexSource): RpcEntry[] {
  return [
    rpcMethod<IndexParameters>(
      'tronicle_getIndex',
      [textParameter, textParameter, int64Parameter, textParameter, textParameter],
      async (name, address, limit, cursor, block) => {
        const index = findIndex(name);
        if (index === undefined) throw invalidParams(`unknown index; use ${indexNames}`);
        const count = limit ?? LIMIT_DEFAULT;
        if (count < 1n || count > LIMIT_MAX) throw invalidParams(`limit must be 1..${LIMIT_MAX}`);
        const after = cursor === null ? undefined : readCursor(index, cursor);
        const height = block === null ? undefined : readHeight(context, block);
        const key = readHexAddress(address, context.api.settings);
        try {
          const { pool } = context;
          return shown(await indexPage({ ...source, pool }, index, key, { limit: Number(count), after, height }));
        } catch (error) {
          if (error instanceof TronError && error.code === 'PROJECTION_OFF') throw invalidParams(error.message);
          if (error instanceof TronError && UNAVAILABLE.has(error.code)) throw internalError(error.message);
          throw error;
        }
      },
      3,
    ),
  ];
}

/** Codes of errors that become internal errors. The client gets the message of such an error. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['HISTORY_NOT_KEPT', 'TOO_COSTLY', 'THREAD_ENDED']);

/** @throws {RpcError} the tag is malformed, or the block does not exist */
function readHeight(context: RpcContext, tag: string): number {
  const height = heightOfTag(context, tag);
  if (height === undefined) throw internalError('header not found');
  return height;
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
    cursor: next === undefined ? null : encodeIndexCursor(next),
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

/** @throws {RpcError} the cursor is malformed */
function readCursor(index: IndexDefinition, cursor: string): IndexCursor {
  const after = decodeIndexCursor(index, cursor);
  if (after === undefined) throw invalidParams('invalid cursor; use one from a previous page');
  return after;
}
