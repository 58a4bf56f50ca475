import type { Logger } from 'pino';
import {
  catchError,
  concatAll,
  defer,
  merge,
  mergeMap,
  type Observable,
  of,
  retry,
  startWith,
  takeUntil,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { aborted } from '../../log/stream/aborted.js';
import { inBatches } from '../../log/stream/in-batches.js';
import { inTurn } from '../../log/stream/in-turn.js';
import { isStorageError, TronError } from '../../primitives/errors.js';
import type { Ledger, RetainChanges } from '../ledger/ledger.js';
import { FoldedEntries } from './folded-entries.js';
import type { Projection } from './projection.js';
import type { ProjectionDatabase } from './projection-database.js';
import { hasSuccessor } from './reach.js';

interface RunnerOptions {
  readonly ledger: Ledger;
  /**
   * Called with the progress (seq) of each projection. The writer then retains the row changes of all later entries.
   */
  readonly retainChanges: RetainChanges;
  readonly database: ProjectionDatabase;
  readonly projections: readonly Projection[];
  readonly log: Logger;
  /** Aborting this signal ends all projections after the current commit. */
  readonly signal: AbortSignal;
  /** Time before a failed read or write is repeated, in ms. Default: {@link RETRY_MS}. */
  readonly retryMs?: number;
}

/** Time before a failed read or write is repeated, in ms. Each failed attempt writes one log line. */
const RETRY_MS = 10_000;

/**
 * A commit of a projection, or the error that stopped a projection. The first event of a projection contains its
 * cursor at the start.
 */
type ProjectionEvent =
  | { readonly kind: 'committed'; readonly name: string; readonly seq: number }
  | { readonly kind: 'stopped'; readonly name: string; readonly error: unknown };

/**
 * Builds projections from the log. Each projection starts at its own cursor, so a newly enabled projection catches up
 * while the node runs. Projections with the same cursor are built in one pass, which reads and decodes each block once.
 *
 * Rows and cursors of a batch are committed together, so each entry is applied exactly once, even after a crash. If a
 * projection fails, it stops, and the others continue. If a read or a write fails, it is repeated.
 */
export function projectLog(options: RunnerOptions): Observable<ProjectionEvent> {
  return defer(() => {
    const passes = new Map<number, Projection[]>();
    const failures: Observable<ProjectionEvent>[] = [];
    for (const projection of options.projections) {
      try {
        const seq = resume(projection, options);
        passes.set(seq, [...(passes.get(seq) ?? []), projection]);
      } catch (error) {
        failures.push(resumeLater(projection, error, options));
      }
    }
    return merge(...failures, ...[...passes].map(([seq, projections]) => pass(seq, projections, options)));
  });
}

/** Starts a projection again after a storage error. Any other error stops the projection. */
function resumeLater(projection: Projection, error: unknown, options: RunnerOptions): Observable<ProjectionEvent> {
  return storageAvailable(error, options).pipe(
    mergeMap(() => projectLog({ ...options, projections: [projection] })),
    catchError((error: unknown) => of({ kind: 'stopped' as const, name: projection.name, error })),
  );
}

/** Builds projections with the same cursor. @param cursor seq of the newest entry that the projections contain */
function pass(cursor: number, projections: readonly Projection[], options: RunnerOptions): Observable<ProjectionEvent> {
  const { ledger, database, retainChanges, signal } = options;
  const running = new Set(projections);
  let seq = cursor;
  const committed = (): ProjectionEvent[] => [...running].map(({ name }) => ({ kind: 'committed', name, seq }));
  const stopped = (error: unknown): ProjectionEvent[] =>
    [...running].map(({ name }) => ({ kind: 'stopped', name, error }));
  const built = inTurn(
    () => inBatches(ledger.pages({ fromSeq: seq + 1, signal }), () => new FoldedEntries(ledger, running, seq)),
    (folded) => {
      database.commit(folded.writes(), folded.seq);
      seq = folded.seq;
      for (const projection of folded.failures.keys()) running.delete(projection);
      const failures = [...folded.failures].map(([{ name }, error]) => ({ kind: 'stopped' as const, name, error }));
      return of([...failures, ...committed()]);
    },
  );
  return built.pipe(
    retry({ delay: (error: unknown) => storageAvailable(error, options) }),
    takeWhile(() => running.size > 0, true),
    catchError((error: unknown) => of(stopped(error))),
    startWith(committed()),
    concatAll(),
    tap((event) => retain(event, retainChanges)),
  );
}

/**
 * After a storage error, for example a full disk, waits and then emits once. The caller then tries again. Ends
 * without a value when the signal aborts. Fails with any other error.
 */
function storageAvailable(error: unknown, { log, signal, retryMs = RETRY_MS }: RunnerOptions): Observable<unknown> {
  if (!isStorageError(error)) return throwError(() => error);
  log.error({ err: error, retryMs }, 'projections not stored, retrying');
  return timer(retryMs).pipe(takeUntil(aborted(signal)));
}

/** Notifies the writer which row changes a projection still needs. */
function retain(event: ProjectionEvent, retainChanges: RetainChanges): void {
  const holder = `projection ${event.name}`;
  if (event.kind === 'committed') retainChanges(holder, event.seq);
  // The data that the projection needs was already deleted, so the writer need not retain anything for it.
  else if (isPruned(event.error)) retainChanges(holder, undefined);
}

/**
 * Returns the seq of the newest entry that the projection has processed. Deletes all rows of the projection and
 * returns -1 in three cases: the projection is new, its stored rows have another version, or the next entry was
 * pruned while the projection was disabled.
 */
function resume({ name, version }: Projection, { ledger, database, log }: RunnerOptions): number {
  const cursor = database.cursor(name);
  if (cursor?.version === version && hasSuccessor(ledger, cursor.seq)) return cursor.seq;
  log.info(
    { projection: name, version },
    cursor === undefined ? 'projection build started' : 'projection rebuild started',
  );
  database.clear(name, { version, seq: -1 });
  return -1;
}

function isPruned(error: unknown): boolean {
  return error instanceof TronError && (error.code === 'HISTORY_NOT_KEPT' || error.code === 'LOG_CUT');
}
