import { randomBytes } from 'node:crypto';
import { hexDigits } from '../../../java-compat/hex.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import { toHex } from '../../../primitives/bytes.js';
import { dropOldest } from '../../../primitives/drop-oldest.js';
import type { BlockWithReceipts } from '../block-content.js';
import { data } from '../quantities.js';
import { exceedsLimit, internalError } from '../rpc-error.js';
import type { FilterKind, Filters } from './filters.js';
import { type LogQuery, matchBlock } from './log-filter.js';
import type { FilterForm } from './read-log-query.js';

/**
 * Time in ms after which a filter that is not read expires. An expired filter is deleted only when the next block is
 * checked.
 */
const LIFE_MS = 300_000;
/**
 * Maximum number of filters per port, because each block is checked against all of them. At this number, a new filter
 * evicts the oldest one.
 */
const FILTERS_MAX = 10_000;
/**
 * Maximum number of unread results of a log filter. A filter that exceeds it is deleted. Its client then gets an error
 * instead of incomplete results.
 */
const UNREAD_MAX = 100_000;

interface Filter {
  /** Conditions of a log filter; undefined for a block filter. */
  readonly query: LogQuery | undefined;
  unread: unknown[];
  expiresAt: number;
}

/** Filters of one port, each with its results since the last read. */
export class FilterStore implements Filters {
  private readonly filters = new Map<string, Filter>();
  private readonly now: () => number;

  private readonly form: FilterForm;

  constructor(now: () => number, form: FilterForm) {
    this.now = now;
    this.form = form;
  }

  /**
   * Adds a filter.
   * @returns id of the filter
   * @throws {RpcError} the configured maximum of filters of this kind is reached
   */
  add(query: LogQuery | undefined): string {
    this.requireRoom(query === undefined ? 'block' : 'log');
    if (this.filters.size >= this.filtersMax) dropOldest(this.filters);
    const id = toHex(randomBytes(16));
    this.filters.set(id, { query, unread: [], expiresAt: this.now() + LIFE_MS });
    return `0x${id}`;
  }

  /**
   * Removes a filter.
   * @throws {RpcError} the filter does not exist
   */
  remove(id: string | null): void {
    if (!this.filters.delete(keyOf(id))) throw internalError('filter not found');
  }

  /**
   * Returns the results since the last read, and extends the lifetime of the filter.
   * @throws {RpcError} the filter does not exist
   */
  take(id: string | null): unknown[] {
    const filter = this.find(id);
    const { unread } = filter;
    filter.unread = [];
    filter.expiresAt = this.now() + LIFE_MS;
    return unread;
  }

  /** Returns the query of a log filter. @throws {RpcError} the filter does not exist or is a block filter */
  queryOf(id: string | null): LogQuery {
    const { query } = this.find(id);
    if (query === undefined) throw internalError('filter not found');
    return query;
  }

  /** Checks a new block against the block filters and log filters. */
  offerBlock(content: BlockWithReceipts): void {
    this.sweep('block');
    for (const filter of this.filters.values()) {
      if (filter.query === undefined) filter.unread.push(data(content.block.id));
    }
    this.offerLogs(content, false);
  }

  /**
   * Checks the logs of a new or reverted block against the log filters.
   * @param removed true for a reverted block
   */
  offerLogs(content: BlockWithReceipts, removed: boolean): void {
    // Decoding a block takes as long as executing it, so do not decode it if there are no filters.
    if (this.filters.size === 0 || content.transactionCount === 0) return;
    this.sweep('log');
    const { number } = content.block;
    for (const [id, filter] of this.filters) {
      const { query, unread } = filter;
      if (query === undefined || number < query.from || (query.to !== undefined && number > query.to)) continue;
      for (const log of matchBlock(query.filter, content, removed, this.form.release.timesLogs)) unread.push(log);
      if (unread.length > UNREAD_MAX) this.filters.delete(id);
    }
  }

  /**
   * Checks that the number of filters of a kind is below the configured maximum. Expired filters are included until the
   * next block. Reference: TronJsonRpcImpl.newFilter
   * @throws {RpcError} the maximum is reached
   */
  requireRoom(kind: FilterKind): void {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    const most = kind === 'block' ? maxBlockFilterNum : maxLogFilterNum;
    if (most <= 0 || this.filters.size < most) return;
    let count = 0;
    for (const filter of this.filters.values()) if (kindOf(filter) === kind) count++;
    if (count >= most) throw exceedsLimit(`exceed max ${kind} filters: ${most}, try again later`);
  }

  /**
   * Number of filters at which a new filter evicts the oldest one. It is at least the limit of the release. At that
   * limit, the release rejects a new filter and evicts none.
   */
  private get filtersMax(): number {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    return Math.max(FILTERS_MAX, maxBlockFilterNum + maxLogFilterNum);
  }

  private sweep(kind: FilterKind): void {
    const now = this.now();
    for (const [id, filter] of this.filters)
      if (kindOf(filter) === kind && filter.expiresAt < now) this.filters.delete(id);
  }

  private find(id: string | null): Filter {
    const filter = this.filters.get(keyOf(id));
    if (filter === undefined) throw internalError('filter not found');
    return filter;
  }
}

function kindOf({ query }: Filter): FilterKind {
  return query === undefined ? 'block' : 'log';
}

function keyOf(id: string | null): string {
  if (id === null) throw nullPointer();
  return hexDigits(id);
}
