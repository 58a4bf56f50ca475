import type { V1Page } from './page.js';
import type { Query } from './query.js';
import type { V1Source } from './v1-source.js';

/**
 * Handles the requests of one route.
 * @param path values of the wildcards in the path
 * @throws {V1Error} the request is invalid
 * @throws {TronError} PROJECTION_OFF: the projection is not enabled; HISTORY_NOT_KEPT: a block is pruned
 */
export type V1Answer = (source: V1Source, query: Query, path: readonly string[]) => V1Page | Promise<V1Page>;

/**
 * Name of a query parameter of `/v1`. `min_timestamp` and `max_timestamp` are also known as `min_block_timestamp` and
 * `max_block_timestamp`.
 */
export type V1Parameter =
  | ('only_confirmed' | 'only_unconfirmed' | 'only_to' | 'only_from' | 'search_internal')
  | ('min_timestamp' | 'max_timestamp' | 'order_by' | 'limit' | 'fingerprint')
  | ('event_name' | 'block_number' | 'height' | 'contract_address');

/**
 * A path pattern with its handler and its query parameters. `*` matches one segment; `**` matches a value that may
 * contain slashes. `parameters` is undefined for paths that are older than `/v1`. The parameters of these paths are
 * not checked.
 */
export type V1Route = readonly [path: string, answer: V1Answer, parameters?: readonly V1Parameter[]];
