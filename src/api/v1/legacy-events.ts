import { type JsonValue, jsonObject } from '../../encoding/json/json-value.js';
import { itemAt } from '../../primitives/assert.js';
import { contractEvents, transactionEvents } from './event-routes.js';
import type { V1Page } from './page.js';
import type { Query } from './query.js';
import type { V1Answer, V1Route } from './route.js';
import { V1Error } from './v1-error.js';

/** Values of `sort` in TronGrid's old API, and the corresponding values of `/v1`. */
const ORDERS: Readonly<Record<string, string>> = {
  block_timestamp: 'block_timestamp,asc',
  '-block_timestamp': 'block_timestamp,desc',
};

/**
 * Returns events by contract, name and height, for TronGrid's paths before `/v1`. The parameters have the old names.
 */
const events: V1Answer = (source, query, path) => {
  const [, name, block] = path;
  if (query.text('filters') !== undefined)
    throw new V1Error(400, 'the parameter filters is not supported; filter the response instead');
  return contractEvents(source, asLater(query, name, block), [itemAt(path, 0)]);
};

/** Paths that TronWeb up to release 5 requests, for example for `contract.event().watch`. */
export const legacyRoutes: readonly V1Route[] = [
  ['event/contract/*', events],
  ['event/contract/*/*', events],
  ['event/contract/*/*/*', events],
  ['event/transaction/*', transactionEvents],
];

/**
 * Returns the response body, which is a list without envelope. The last item contains the fingerprint of the next page.
 */
export function legacyBody({ items, fingerprint }: V1Page): JsonValue {
  if (fingerprint === undefined) return [...items];
  const last = jsonObject({ ...Object.fromEntries(items.at(-1) ?? []), _fingerprint: fingerprint });
  return [...items.slice(0, -1), last];
}

/**
 * Converts the parameters of the old API to those of `/v1`.
 * @param block if `latest`, the newest events are first; a client that polls from a fixed start time then receives new
 * events
 */
function asLater(query: Query, name: string | undefined, block: string | undefined): Query {
  const sort = query.text('sort');
  return query.with({
    limit: query.text('size'),
    min_block_timestamp: query.text('from_timestamp') ?? query.text('since'),
    event_name: name,
    block_number: block === 'latest' ? undefined : block,
    order_by: sort === undefined || block === 'latest' ? undefined : (ORDERS[sort] ?? sort),
  });
}
