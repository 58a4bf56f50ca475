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

/** A path pattern with its handler. `*` matches one segment; `**` matches a value that may contain slashes. */
export type V1Route = readonly [path: string, answer: V1Answer];
