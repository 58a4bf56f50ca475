import type { Logger } from 'pino';
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  map,
  type Observable,
  Subject,
  share,
  takeUntil,
  tap,
} from 'rxjs';
import type { LogEntry } from '../../../log/log-entry.js';
import { inTurn } from '../../../log/stream/in-turn.js';
import { present } from '../../../primitives/assert.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import type { PortView } from '../../servers.js';
import { type BlockWithReceipts, contentOfEntry, storedContent } from '../block-content.js';

/** Event: a block was added to the chain of a view, or was reverted. */
export interface ChainEvent {
  readonly isReverted: boolean;
  readonly content: BlockWithReceipts;
}

/** Emits chain events in the order of the block log. Follows the block log only while there are listeners. */
export class ChainEvents {
  private readonly ledger: Ledger;
  private readonly log: Logger;
  private readonly closed = new Subject<void>();
  private readonly events: Readonly<Record<'head' | 'solidified', Observable<ChainEvent>>>;

  constructor(ledger: Ledger, log: Logger) {
    this.ledger = ledger;
    this.log = log;
    const entries = inTurn(
      (signal) => ledger.pages({ fromSeq: ledger.storedSeq + 1, signal }),
      ({ items }) => from(items),
    ).pipe(takeUntil(this.closed), share());
    this.events = { head: this.headEvents(entries).pipe(share()), solidified: this.solidified(entries).pipe(share()) };
  }

  /**
   * Subscribes to all later events.
   * @param failed called if the log cannot be read. The listener then receives no further events
   * @returns a function that ends the subscription
   */
  listen(view: PortView, listener: (event: ChainEvent) => void, failed: () => void): () => void {
    const subscription = this.events[view === 'head' ? 'head' : 'solidified']
      .pipe(
        tap(listener),
        catchError((error: unknown) => {
          this.log.error({ err: error, api: 'jsonrpc' }, 'json-rpc event subscriptions stopped');
          failed();
          return EMPTY;
        }),
      )
      .subscribe();
    return () => subscription.unsubscribe();
  }

  /** Logs the error of a notification that was not sent. */
  notSent(error: unknown): void {
    this.log.error({ err: error, api: 'jsonrpc' }, 'json-rpc notification not sent');
  }

  close(): void {
    this.closed.next();
  }

  private headEvents(entries: Observable<LogEntry>): Observable<ChainEvent> {
    return entries.pipe(
      filter(({ kind }) => kind !== 'solidified'),
      map((entry) => {
        const block =
          entry.kind === 'applied'
            ? entry
            : present(this.ledger.entryOfId(entry.id), 'the log has an entry for this block');
        return { isReverted: entry.kind === 'reverted', content: contentOfEntry(block) };
      }),
    );
  }

  private solidified(entries: Observable<LogEntry>): Observable<ChainEvent> {
    return defer(() => {
      let newest = this.ledger.position.solidifiedNumber;
      return entries.pipe(
        filter(({ kind }) => kind === 'solidified'),
        concatMap(({ number }) => {
          const above = newest;
          newest = Math.max(newest, number);
          return from(this.blocksBetween(above, number));
        }),
      );
    });
  }

  private *blocksBetween(above: number, newest: number): Generator<ChainEvent> {
    for (let number = above + 1; number <= newest; number++) {
      const content = storedContent(this.ledger, number);
      if (content !== undefined) yield { isReverted: false, content };
    }
  }
}
