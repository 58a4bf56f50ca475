import { randomBytes } from 'node:crypto';
import { toHex } from '../../../domain/bytes.js';
import { dropOldest } from '../../../domain/drop-oldest.js';
import { nullPointer } from '../../../java/error.js';
import { hexDigits } from '../../../java/hex.js';
import type { BlockContent } from '../block-results.js';
import { data } from '../quantities.js';
import { exceedsLimit, internalError } from '../rpc-error.js';
import { type LogQuery, matchBlock } from './log-filter.js';
import type { FilterForm } from './read-log-query.js';

/** ms after which a filter that nobody reads is forgotten. */
const LIFE_MS = 300_000;
/** Filters of one port: each new block is tried on all of them. The oldest gives way. */
const FILTERS_MAX = 10_000;
/** What waits for one reader. One that falls further behind loses its filter, and so learns of it, instead of a part. */
const WAITING_MAX = 100_000;

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
    this.sweep();
    this.checkCount(query === undefined ? 'block' : 'log');
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
  offerBlock(content: BlockContent): void {
    this.sweep();
    for (const filter of this.filters.values()) {
      if (filter.query === undefined) filter.waiting.push(data(content.block.id));
    }
    this.offerLogs(content, false);
  }

  /** Logs of a new block, or of one that was taken back. */
  offerLogs(content: BlockContent, removed: boolean): void {
    // While nobody has a filter, nothing of the block is looked at: decoding one takes as long as executing it.
    if (this.filters.size === 0) return;
    const { number } = content.block;
    for (const [id, filter] of this.filters) {
      const { query, waiting } = filter;
      if (query === undefined || number < query.from || (query.to !== undefined && number > query.to)) continue;
      for (const log of matchBlock(query.filter, content, removed, this.form.release.timesLogs)) waiting.push(log);
      if (waiting.length > WAITING_MAX) this.filters.delete(id);
    }
  }

  /** The release's own limits are refusals: what they allow gives way to nobody. */
  private get filtersMax(): number {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    return Math.max(FILTERS_MAX, maxBlockFilterNum + maxLogFilterNum);
  }

  private checkCount(kind: 'block' | 'log'): void {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    const most = kind === 'block' ? maxBlockFilterNum : maxLogFilterNum;
    if (most <= 0 || this.filters.size < most) return;
    let count = 0;
    for (const { query } of this.filters.values()) if ((query === undefined) === (kind === 'block')) count++;
    if (count >= most) throw exceedsLimit(`exceed max ${kind} filters: ${most}, try again later`);
  }

  private sweep(): void {
    const now = this.now();
    for (const [id, { expiresAt }] of this.filters) if (expiresAt < now) this.filters.delete(id);
  }

  private find(id: string | null): Filter {
    const filter = this.filters.get(keyOf(id));
    if (filter === undefined) throw internalError('filter not found');
    return filter;
  }
}

function keyOf(id: string | null): string {
  if (id === null) throw nullPointer();
  return hexDigits(id);
}
