import type { LogQuery } from './log-filter.js';

/**
 * Kind of a filter. Log filters are checked only against blocks with transactions, including reverted blocks.
 * Reference: Manager.postLogsFilter
 */
export type FilterKind = 'block' | 'log';

type Soon<T> = T | Promise<T>;

/**
 * Filters of one port. They are stored in this thread (`FilterStore`), or in the one thread that stores the filters of
 * all threads (`AsyncFilters`).
 */
export interface Filters {
  /**
   * Checks that a filter of this kind can be added.
   * @throws {RpcError} the configured maximum for the kind is reached
   */
  requireBelowMaximum(kind: FilterKind): Soon<void>;
  /**
   * Adds a filter.
   * @returns id of the filter
   * @throws {RpcError} the configured maximum for its kind is reached, or the memory is not sufficient
   */
  add(query: LogQuery | undefined): Soon<string>;
  /**
   * Removes a filter.
   * @throws {RpcError} the filter does not exist
   * @throws {JavaError} the id is null
   */
  remove(id: string | null): Soon<void>;
  /**
   * Returns the results since the last read as a JSON list, and extends the lifetime of the filter.
   * @throws {RpcError} the filter does not exist
   */
  take(id: string | null): Soon<string>;
  /** Returns the query of a log filter. @throws {RpcError} the filter does not exist or is a block filter */
  queryOf(id: string | null): Soon<LogQuery>;
}

/** A call of a method of `Filters`, as data that can be sent to another thread. */
export type FilterCall =
  | { readonly method: 'requireBelowMaximum'; readonly kind: FilterKind }
  | { readonly method: 'add'; readonly query: LogQuery | undefined }
  | { readonly method: 'remove' | 'take' | 'queryOf'; readonly id: string | null };

/** Runs a call that was sent as data. @throws {RpcError} the called method throws it */
export function callFilters(filters: Filters, call: FilterCall): unknown {
  if (call.method === 'requireBelowMaximum') return filters.requireBelowMaximum(call.kind);
  if (call.method === 'add') return filters.add(call.query);
  return filters[call.method](call.id);
}

/** Filters whose calls run later, or in the thread that stores the filters. */
export class AsyncFilters implements Filters {
  private readonly run: (call: FilterCall) => Promise<unknown>;

  /** @param run runs a call of the filters; rejects with the error of the called method */
  constructor(run: (call: FilterCall) => Promise<unknown>) {
    this.run = run;
  }

  async requireBelowMaximum(kind: FilterKind): Promise<void> {
    await this.run({ method: 'requireBelowMaximum', kind });
  }

  async add(query: LogQuery | undefined): Promise<string> {
    return (await this.run({ method: 'add', query })) as string;
  }

  async remove(id: string | null): Promise<void> {
    await this.run({ method: 'remove', id });
  }

  async take(id: string | null): Promise<string> {
    return (await this.run({ method: 'take', id })) as string;
  }

  async queryOf(id: string | null): Promise<LogQuery> {
    return (await this.run({ method: 'queryOf', id })) as LogQuery;
  }
}
