import type { Logger } from 'pino';
import {
  catchError,
  defer,
  EMPTY,
  finalize,
  from,
  lastValueFrom,
  map,
  type Observable,
  of,
  retry,
  switchMap,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { aborted } from '../../log/stream/aborted.js';
import { inTurn } from '../../log/stream/in-turn.js';
import { errorText, TronError } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { RevertedBlockError } from '../follow/solid-blocks.js';
import type { BlockRecords } from '../records/event-record.js';
import type { RecordMaker } from '../records/record-maker.js';
import { SinkError } from '../sink-error.js';
import { BlockNotInLogError, type Sink } from '../sinks/sink.js';
import { batchesAfter, type RecordBatch } from './record-batches.js';
import { Resumption, type SinkExtent } from './resumption.js';
import { type SinkStatus, StatusReporter } from './sink-status.js';

interface ForwardOptions {
  readonly ledger: Ledger;
  readonly sink: Sink;
  readonly maker: RecordMaker;
  readonly extent?: SinkExtent;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Signal to end the sink after the whole log is forwarded. */
  readonly drain: AbortSignal;
  readonly onStatus?: (status: SinkStatus) => void;
}

/**
 * Time in ms for which a sink still waits for entries after the signal to drain. In this time, the last commits of the
 * writer become visible.
 */
const DRAIN_MS = 50;
/**
 * Time in ms after which a sink reports that its target does not answer. An error may follow minutes later, because the
 * client libraries repeat unanswered requests.
 */
const UNANSWERED_MS = 30_000;
const RETRY_MS_MIN = 200;
const RETRY_MS_MAX = 5000;

/**
 * Forwards the part of the log that the sink requests, in log order and without gaps. After an error, the sink is
 * opened again and returns the position at which it resumes. At most two batches are in memory. Ends when a signal
 * aborts, or after an error for which a retry cannot help. Never throws.
 */
export async function forward(options: ForwardOptions): Promise<void> {
  const { sink, log, extent = {} } = options;
  const status = new StatusReporter(sink, options.onStatus);
  const isStopped = options.signal.aborted
    ? false
    : await lastValueFrom(delivery(options, status), { defaultValue: false });
  await sink.close().catch((error: unknown) => log.warn({ sink: sink.name, err: error }, 'sink close failed'));
  if (isStopped) return;
  const isDone = extent.to !== undefined && status.passedUpTo >= extent.to;
  status.change(isDone ? 'done' : 'closed');
  if (isDone) log.info({ sink: sink.name, number: status.passedUpTo, records: status.sentRecords }, 'backfill done');
}

/**
 * Delivers batches until the stream ends. Emits true if the operator must act before the sink can continue, otherwise
 * false.
 */
function delivery(options: ForwardOptions, status: StatusReporter): Observable<boolean> {
  const { sink, log, signal } = options;
  const resumption = new Resumption(options);
  const drained = delayed(options.drain, DRAIN_MS);
  let retryMs = RETRY_MS_MIN;
  const reportingDelay = <T>(request: () => Promise<T>): Observable<T> =>
    defer(() => {
      let seconds = 0;
      const reports = setInterval(() => {
        seconds += UNANSWERED_MS / 1000;
        const problem = `the target has not answered for ${seconds} s; check that it works`;
        log.warn({ sink: sink.name, problem }, 'sink waits for its target');
        status.change('retrying', problem);
      }, UNANSWERED_MS);
      return from(request()).pipe(finalize(() => clearInterval(reports)));
    });
  const written = (batch: RecordBatch): Observable<readonly BlockRecords[]> =>
    reportingDelay(() => sink.write(batch.blocks)).pipe(map(() => batch.blocks));
  return reportingDelay(() => sink.open(resumption.isInLog)).pipe(
    map((position) => resumption.startAt(position)),
    tap(({ after }) => status.opened(after)),
    switchMap((start) => inTurn(batchesAfter({ ...options, drained }, start), written)),
    tap((blocks) => {
      retryMs = RETRY_MS_MIN;
      resumption.delivered();
      status.passed(blocks);
    }),
    retry({
      delay: (error: unknown) => {
        if (signal.aborted) return EMPTY;
        if (needsOperator(error)) throw error;
        log.warn({ sink: sink.name, err: error, retryMs }, 'sink failed, retrying');
        status.change('retrying', errorText(error));
        if (error instanceof BlockNotInLogError) return resumption.arrival(error.position, [signal, drained]);
        const pause = timer(retryMs).pipe(takeUntil(aborted(signal)));
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
        return pause;
      },
    }),
    map(() => false),
    catchError((error: unknown) => {
      log.error({ sink: sink.name, err: error }, 'sink stopped');
      status.change('stopped', errorText(error));
      return of(true);
    }),
  );
}

/** Returns true if a retry cannot help. Pruned entries (LOG_CUT) never return. */
function needsOperator(error: unknown): boolean {
  if (error instanceof SinkError || error instanceof RevertedBlockError) return true;
  return error instanceof TronError && error.code === 'LOG_CUT';
}

/** Returns a signal that aborts `ms` milliseconds after `signal`. */
function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const start = (): void => void setTimeout(() => later.abort(), ms).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return later.signal;
}
