import type { V1Page } from './page.js';
import type { Query } from './query.js';
import type { V1Source } from './v1-source.js';

/**
 * Answers one path. @param path what stood in the place of the stars of the route
 * @throws {V1Error} a request that is refused
 * @throws {TronError} PROJECTION_OFF, HISTORY_NOT_KEPT
 */
export type V1Answer = (source: V1Source, query: Query, path: readonly string[]) => V1Page | Promise<V1Page>;

/** A path below `/v1`, with stars for what it asks about; two for what may hold slashes. */
export type V1Route = readonly [path: string, answer: V1Answer];
