import { randomBytes } from 'node:crypto';
import { hexDigits } from '../../../java-compat/hex.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import { toHex } from '../../../primitives/bytes.js';
import { dropOldest } from '../../../primitives/drop-oldest.js';
import type { BlockWithReceipts } from '../block-results.js';
import { data } from '../quantities.js';
import { exceedsLimit, internalError } from '../rpc-error.js';
import { type LogQuery, matchBlock } from './log-filter.js';
import type { FilterForm } from './read-log-query.js';

/**
 * ms after which a filter that nobody reads is forgotten with the next block that it is tried on; until then reading
 * renews it.
 */
const LIFE_MS = 300_000;
/** Filters of one port: each new block is tried on all of them. The oldest gives way. */
const FILTERS_MAX = 10_000;
/**
 * What waits for one reader. One that falls further behind loses its filter, and so learns of it, instead of a part.
 */
const WAITING_MAX = 100_000;

/**
 * Filters on logs are tried on blocks with transactions alone, those that are taken back too.
 * Reference: Manager.postLogsFilter
 */
type FilterKind = 'block' | 'log';

interface Filter {
  /** Undefined for a filter on blocks. */
  readonly query: LogQuery | undefined;
  waiting: unknown[];
  expiresAt: number;
}

/** Filters of one port, with what has come for each since it was last read. */
export class FilterStore {
  private readonly filters = new Map<string, Filter>();
  private readonly now: () => number;

  private readonly form: FilterForm;

  constructor(now: () => number, form: FilterForm) {
    this.now = now;
    this.form = form;
  }

  /** @returns its id. @throws {RpcError} as many filters of its kind as the configuration allows */
  add(query: LogQuery | undefined): string {
    this.requireRoom(query === undefined ? 'block' : 'log');
    if (this.filters.size >= this.filtersMax) dropOldest(this.filters);
    const id = toHex(randomBytes(16));
    this.filters.set(id, { query, waiting: [], expiresAt: this.now() + LIFE_MS });
    return `0x${id}`;
  }

  /** @throws {RpcError} */
  remove(id: string | null): void {
    if (!this.filters.delete(keyOf(id))) throw internalError('filter not found');
  }

  /** What has come since the last time; renews the filter. @throws {RpcError} */
  take(id: string | null): unknown[] {
    const filter = this.find(id);
    const { waiting } = filter;
    filter.waiting = [];
    filter.expiresAt = this.now() + LIFE_MS;
    return waiting;
  }

  /** @throws {RpcError} no such filter, or one on blocks */
  queryOf(id: string | null): LogQuery {
    const { query } = this.find(id);
    if (query === undefined) throw internalError('filter not found');
    return query;
  }

  /** A new block, for the filters on blocks and those on logs. */
  offerBlock(content: BlockWithReceipts): void {
    this.sweep('block');
    for (const filter of this.filters.values()) {
      if (filter.query === undefined) filter.waiting.push(data(content.block.id));
    }
    this.offerLogs(content, false);
  }

  /** Logs of a new block, or of one that was taken back. */
  offerLogs(content: BlockWithReceipts, removed: boolean): void {
    // While nobody has a filter, nothing of the block is looked at: decoding one takes as long as executing it.
    if (this.filters.size === 0 || content.transactionCount === 0) return;
    this.sweep('log');
    const { number } = content.block;
    for (const [id, filter] of this.filters) {
      const { query, waiting } = filter;
      if (query === undefined || number < query.from || (query.to !== undefined && number > query.to)) continue;
      for (const log of matchBlock(query.filter, content, removed, this.form.release.timesLogs)) waiting.push(log);
      if (waiting.length > WAITING_MAX) this.filters.delete(id);
    }
  }

  /**
   * Those whose time is over count until a block comes. Reference: TronJsonRpcImpl.newFilter
   * @throws {RpcError} as many filters of a kind as the configuration allows
   */
  requireRoom(kind: FilterKind): void {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    const most = kind === 'block' ? maxBlockFilterNum : maxLogFilterNum;
    if (most <= 0 || this.filters.size < most) return;
    let count = 0;
    for (const filter of this.filters.values()) if (kindOf(filter) === kind) count++;
    if (count >= most) throw exceedsLimit(`exceed max ${kind} filters: ${most}, try again later`);
  }

  /** The release's own limits are refusals: what they allow gives way to nobody. */
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
