import type { Logger } from 'pino';
import { BehaviorSubject, catchError, EMPTY, filter, firstValueFrom, from, type Subscription, tap } from 'rxjs';
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

/** Filters of all JSON-RPC ports. They follow the block log from the creation of this object until `close`. */
export class FollowedFilters {
  readonly of: Readonly<Record<ServerName, Filters>>;
  private readonly ledger: Ledger;
  private readonly stores: Readonly<Record<ServerName, FilterStore>>;
  private readonly events: FilterEvents;
  /** Sequence number of the newest entry of the block log that was checked against the filters. */
  private readonly seq: BehaviorSubject<number>;
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
    this.events = new FilterEvents({ ...options, reportsReapplied: form.release.reportsReapplied });
    const { fromSeq } = this.events;
    this.seq = new BehaviorSubject(fromSeq - 1);
    this.following = inTurn(
      (signal) => ledger.pages({ fromSeq: Math.min(fromSeq, ledger.storedSeq + 1), signal }),
      ({ items }) => from(items).pipe(tap((entry) => this.offer(entry))),
    )
      .pipe(
        catchError((error: unknown) => {
          log.error({ err: error, api: 'jsonrpc' }, 'filter update failed');
          this.seq.error(error);
          return EMPTY;
        }),
      )
      .subscribe();
  }

  close(): void {
    this.following.unsubscribe();
    this.seq.complete();
  }

  private offer(entry: LogEntry): void {
    if (entry.seq < this.events.fromSeq) return;
    const { fullnode, solidity } = this.stores;
    for (const { change, content } of this.events.take(entry)) {
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
