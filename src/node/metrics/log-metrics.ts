import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { catchError, EMPTY, lastValueFrom } from 'rxjs';
import type { LogEntry } from '../../log/log-entry.js';
import { inTurn } from '../../log/stream/in-turn.js';
import type { LogPage } from '../../log/stream/log-pages.js';
import type { Ledger } from '../../projections/ledger/ledger.js';

interface LogMetricsOptions {
  readonly ledger: Pick<Ledger, 'pages' | 'storedSeq'>;
  readonly registry: Registry;
  readonly log: Logger;
}

/** Counts the entries that are added to the block log, and their transactions, until `close`. */
export class LogMetrics {
  private readonly ended = new AbortController();
  private readonly following: Promise<unknown>;
  private readonly entries: Counter<'kind'>;
  private readonly transactions: Counter;

  constructor({ ledger, registry, log }: LogMetricsOptions) {
    this.entries = new Counter({
      name: 'tronicle_log_entries_total',
      help: 'Entries that were added to the block log since the start: applied, reverted or solidified blocks',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.transactions = new Counter({
      name: 'tronicle_log_transactions_total',
      help: 'Transactions of the blocks that were applied since the start',
      registers: [registry],
    });
    for (const kind of ['applied', 'reverted', 'solidified']) this.entries.inc({ kind }, 0);
    const { signal } = this.ended;
    const pages = (): AsyncIterable<LogPage> => ledger.pages({ fromSeq: ledger.storedSeq + 1, signal });
    const counted = inTurn(pages, ({ items }) => {
      for (const entry of items) this.count(entry);
      return EMPTY;
    }).pipe(
      catchError((error: unknown) => {
        log.error({ err: error }, 'counting of block log entries stopped');
        return EMPTY;
      }),
    );
    this.following = lastValueFrom(counted, { defaultValue: undefined });
  }

  async close(): Promise<void> {
    this.ended.abort();
    await this.following;
  }

  private count(entry: LogEntry): void {
    this.entries.inc({ kind: entry.kind });
    if (entry.kind === 'applied') this.transactions.inc(entry.transactionIds.length);
  }
}
