import type { Logger } from 'pino';
import {
  BehaviorSubject,
  defer,
  filter,
  firstValueFrom,
  from,
  type Observable,
  retry,
  type Subscription,
  tap,
  timer,
} from 'rxjs';
import type { LogEntry } from '../../../log/log-entry.js';
import { inTurn } from '../../../log/stream/in-turn.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import { createFilterBudget } from '../../middleware/memory-budgets.js';
import { byServer, type ServerName } from '../../servers.js';
import { FilterEvents, type FilterEventsOptions } from './filter-events.js';
import { FilterStore } from './filter-store.js';
import { AsyncFilters, callFilters, type Filters } from './filters.js';
import type { FilterForm } from './read-log-query.js';

interface FollowedFiltersOptions extends Omit<FilterEventsOptions, 'reportsReapplied'> {
  readonly form: FilterForm;
  readonly now: () => number;
  readonly log: Logger;
}

/** Time in ms until the log is followed again after an error. */
const RETRY_MS = 1000;

/**
 * Filters of all JSON-RPC ports. They follow the block log from the creation of this object until `close`. If an entry
 * cannot be checked against the filters, all filters are deleted, because they would miss blocks. New filters then
 * follow the log from its newest entry.
 */
export class FollowedFilters {
  readonly of: Readonly<Record<ServerName, Filters>>;
  private readonly ledger: Ledger;
  private readonly stores: Readonly<Record<ServerName, FilterStore>>;
  /** Sequence number of the newest entry of the block log that was checked against the filters. */
  private readonly seq = new BehaviorSubject(-1);
  private readonly following: Subscription;

  constructor({ form, now, log, ...options }: FollowedFiltersOptions) {
    const { ledger } = options;
    this.ledger = ledger;
    const budget = createFilterBudget();
    this.stores = byServer(() => new FilterStore(now, form, budget));
    this.of = byServer(
      (server) =>
        new AsyncFilters(async (call) => {
          await this.caughtUp();
          return callFilters(this.stores[server], call);
        }),
    );
    this.following = defer(() =>
      this.follow(new FilterEvents({ ...options, reportsReapplied: form.release.reportsReapplied })),
    )
      .pipe(
        retry({
          delay: (error: unknown) => {
            log.error({ err: error, api: 'jsonrpc', retryMs: RETRY_MS }, 'filter update failed, all filters deleted');
            for (const store of Object.values(this.stores)) store.clear();
            return timer(RETRY_MS);
          },
        }),
      )
      .subscribe();
  }

  close(): void {
    this.following.unsubscribe();
    this.seq.complete();
  }

  private follow(events: FilterEvents): Observable<LogEntry> {
    const { ledger } = this;
    const { fromSeq } = events;
    this.seq.next(fromSeq - 1);
    return inTurn(
      (signal) => ledger.pages({ fromSeq: Math.min(fromSeq, ledger.storedSeq + 1), signal }),
      ({ items }) => from(items).pipe(tap((entry) => this.offer(events, entry))),
    );
  }

  private offer(events: FilterEvents, entry: LogEntry): void {
    if (entry.seq < events.fromSeq) return;
    const { fullnode, solidity } = this.stores;
    for (const { change, content } of events.take(entry)) {
      if (change === 'applied') fullnode.offerBlock(content);
      else if (change === 'reverted') fullnode.offerReverted(content);
      else solidity.offerBlock(content);
    }
    this.seq.next(entry.seq);
  }

  /** Resolves when all committed blocks were checked against the filters. */
  private async caughtUp(): Promise<void> {
    const { storedSeq } = this.ledger;
    await firstValueFrom(this.seq.pipe(filter((seq) => seq >= storedSeq)), { defaultValue: undefined });
  }
}
