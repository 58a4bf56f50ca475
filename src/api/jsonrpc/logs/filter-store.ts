import { randomBytes } from 'node:crypto';
import { hexDigits } from '../../../java-compat/hex.js';
import { nullPointer } from '../../../java-compat/java-error.js';
import type { ByteBudget, ByteShare } from '../../../primitives/byte-budget.js';
import { toHex } from '../../../primitives/bytes.js';
import { createFilterBudget } from '../../middleware/memory-budgets.js';
import type { BlockWithReceipts } from '../block-content.js';
import { data } from '../quantities.js';
import { exceedsLimit, internalError, type RpcError } from '../rpc-error.js';
import type { FilterKind, Filters } from './filters.js';
import { bytesOfFilter, type LogQuery, logTest } from './log-filter.js';
import type { FilterForm } from './read-log-query.js';
import { renderLogs } from './rendered-logs.js';
import { type UnreadBlock, UnreadBlocks } from './unread-blocks.js';

/**
 * Time in ms after which a filter that is not read expires. An expired filter is deleted only when the next block is
 * checked.
 */
const LIFE_MS = 300_000;
/**
 * Maximum number of filters per port. All filters are checked for expiry at each new block, so this maximum limits the
 * time per block. At this number, a new filter evicts the oldest one.
 */
const FILTERS_MAX = 10_000;
/**
 * Maximum number of unread results of a log filter. A filter with more unread results is deleted. Its client then gets
 * an error instead of incomplete results.
 */
const UNREAD_MAX = 100_000;

interface Filter {
  /** Conditions of a log filter; undefined for a block filter. */
  readonly query: LogQuery | undefined;
  /** Part of the memory budget that the conditions use. */
  readonly share: ByteShare | undefined;
  /** Position of the first unread block in `UnreadBlocks`. */
  position: number;
  expiresAt: number;
}

/**
 * Filters of one port. All filters share the unread blocks. The results of a filter are computed when its client reads
 * them. If the conditions of all filters exceed their memory budget, the filters with the most conditions are deleted.
 */
export class FilterStore implements Filters {
  private readonly filters = new Map<string, Filter>();
  private readonly blocks = new UnreadBlocks();
  private readonly now: () => number;

  private readonly form: FilterForm;
  private readonly budget: ByteBudget;

  /** @param budget memory budget of the addresses and topics; the filters of several ports can share it */
  constructor(now: () => number, form: FilterForm, budget = createFilterBudget()) {
    this.now = now;
    this.form = form;
    this.budget = budget;
  }

  /**
   * Adds a filter.
   * @returns id of the filter
   * @throws {RpcError} the configured maximum of filters of this kind is reached, or the memory is not sufficient
   */
  add(query: LogQuery | undefined): string {
    this.requireBelowMaximum(query === undefined ? 'block' : 'log');
    const [oldest] = this.filters.keys();
    if (oldest !== undefined && this.filters.size >= this.filtersMax) this.delete(oldest);
    const id = toHex(randomBytes(16));
    const share = query && this.budget.open({ drop: () => this.filters.delete(id) });
    this.filters.set(id, { query, share, position: this.blocks.end, expiresAt: this.now() + LIFE_MS });
    if (query !== undefined) share?.set(bytesOfFilter(query.filter));
    if (!this.filters.has(id)) throw exceedsLimit('too many addresses and topics in all filters, try again later');
    return `0x${id}`;
  }

  /**
   * Removes a filter.
   * @throws {RpcError} the filter does not exist
   */
  remove(id: string | null): void {
    if (!this.delete(keyOf(id))) throw notFound();
  }

  /**
   * Returns the results since the last read as a JSON list, and extends the lifetime of the filter.
   * @throws {RpcError} the filter does not exist, or was deleted because it had too many unread results
   */
  take(id: string | null): string {
    const filter = this.find(id);
    const unread = this.blocks.from(filter.position);
    const results = filter.query === undefined ? blockIds(unread) : matchingLogs(filter.query, unread);
    if (results === undefined) {
      this.remove(id);
      throw notFound();
    }
    filter.position = this.blocks.end;
    filter.expiresAt = this.now() + LIFE_MS;
    return `[${results.join(',')}]`;
  }

  /** Removes all filters. */
  clear(): void {
    for (const key of [...this.filters.keys()]) this.delete(key);
  }

  /** Returns the query of a log filter. @throws {RpcError} the filter does not exist or is a block filter */
  queryOf(id: string | null): LogQuery {
    const { query } = this.find(id);
    if (query === undefined) throw notFound();
    return query;
  }

  /** Adds a new block to the unread blocks of all filters. */
  offerBlock(content: BlockWithReceipts): void {
    this.sweep('block');
    this.offer(content, { id: data(content.block.id), removed: false });
  }

  /** Adds a reverted block to the unread blocks of all filters. Only log filters report it. */
  offerReverted(content: BlockWithReceipts): void {
    this.offer(content, { id: undefined, removed: true });
  }

  private offer(content: BlockWithReceipts, { id, removed }: { id: string | undefined; removed: boolean }): void {
    if (content.transactionCount > 0) this.sweep('log');
    const filters = [...this.filters.values()];
    this.blocks.dropBefore(filters.reduce((oldest, { position }) => Math.min(oldest, position), this.blocks.end));
    if (filters.length === 0) return;
    // Decoding a block takes as long as executing it, so a block is not decoded if all filters are block filters.
    const hasLogFilter = filters.some(({ query }) => query !== undefined);
    const logs = hasLogFilter ? renderLogs(content, { removed, hasTime: this.form.release.timesLogs }) : [];
    this.blocks.add({ number: content.block.number, id, logs });
    for (const [key, { position }] of this.filters) if (position < this.blocks.start) this.delete(key);
  }

  /**
   * Checks that the number of filters of a kind is below the configured maximum. Expired filters are included until the
   * next block. Reference: TronJsonRpcImpl.newFilter
   * @throws {RpcError} the maximum is reached
   */
  requireBelowMaximum(kind: FilterKind): void {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    const most = kind === 'block' ? maxBlockFilterNum : maxLogFilterNum;
    if (most <= 0 || this.filters.size < most) return;
    let count = 0;
    for (const filter of this.filters.values()) if (kindOf(filter) === kind) count++;
    if (count >= most) throw exceedsLimit(`exceed max ${kind} filters: ${most}, try again later`);
  }

  /**
   * Number of filters at which a new filter evicts the oldest one. It is at least the limit of the release, because the
   * release rejects a new filter at its limit and evicts none.
   */
  private get filtersMax(): number {
    const { maxBlockFilterNum, maxLogFilterNum } = this.form.rpcLimits;
    return Math.max(FILTERS_MAX, maxBlockFilterNum + maxLogFilterNum);
  }

  private sweep(kind: FilterKind): void {
    const now = this.now();
    for (const [id, filter] of this.filters) if (kindOf(filter) === kind && filter.expiresAt < now) this.delete(id);
  }

  private delete(key: string): boolean {
    this.filters.get(key)?.share?.close();
    return this.filters.delete(key);
  }

  private find(id: string | null): Filter {
    const filter = this.filters.get(keyOf(id));
    if (filter === undefined) throw notFound();
    return filter;
  }
}

/** Returns the block ids as JSON texts. */
function blockIds(blocks: readonly UnreadBlock[]): string[] {
  return blocks.flatMap(({ id }) => (id === undefined ? [] : `"${id}"`));
}

/**
 * Returns the logs that match a query as JSON texts; undefined if there are more than {@link UNREAD_MAX}. Reference:
 * LogMatch.matchBlock.
 */
function matchingLogs({ filter, from, to }: LogQuery, blocks: readonly UnreadBlock[]): string[] | undefined {
  const matches = logTest(filter);
  const found: string[] = [];
  for (const { number, logs } of blocks) {
    if (number < from || (to !== undefined && number > to)) continue;
    for (const log of logs) if (matches(log)) found.push(log.text);
    if (found.length > UNREAD_MAX) return undefined;
  }
  return found;
}

function notFound(): RpcError {
  return internalError('filter not found');
}

function kindOf({ query }: Filter): FilterKind {
  return query === undefined ? 'block' : 'log';
}

function keyOf(id: string | null): string {
  if (id === null) throw nullPointer();
  return hexDigits(id);
}
