import type { Logger } from 'pino';
import { defer, type Observable, of, tap } from 'rxjs';
import { inBatches } from '../../log/stream/in-batches.js';
import { inTurn } from '../../log/stream/in-turn.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger, RetainChanges } from '../ledger/ledger.js';
import { FoldedEntries } from './folded-entries.js';
import type { Projection } from './projection.js';
import type { ProjectionDatabase } from './projection-database.js';

interface RunnerOptions {
  readonly ledger: Ledger;
  /** Reports the progress of the projection to the writer, which retains the row changes above it. */
  readonly retainChanges: RetainChanges;
  readonly database: ProjectionDatabase;
  readonly projection: Projection;
  readonly log: Logger;
  /** Aborting it ends the projection after the current commit. */
  readonly signal: AbortSignal;
}

/** A commit of a projection. */
interface ProjectionProgress {
  readonly name: string;
  /** Seq of the newest processed entry. */
  readonly seq: number;
}

/**
 * Builds a projection from the log, from its own cursor on, so that a newly enabled one catches up while the node runs.
 * Emits after each commit. Rows and cursor of a batch are committed together, so each entry is applied exactly once,
 * even after a crash. Errors with the first error of the projection.
 */
export function projectLog(options: RunnerOptions): Observable<ProjectionProgress> {
  const { ledger, retainChanges, database, projection, signal } = options;
  const { name, version } = projection;
  const holder = `projection ${name}`;
  return defer(() => {
    let seq = resume(options);
    retainChanges(holder, seq);
    return inTurn(
      () => inBatches(ledger.pages({ fromSeq: seq + 1, signal }), () => new FoldedEntries(ledger, projection, seq)),
      (folded) => {
        seq = folded.seq;
        database.commit(name, folded.writes(), { version, seq });
        return of({ name, seq });
      },
    );
  }).pipe(
    tap({
      next: ({ seq }) => retainChanges(holder, seq),
      error: (error) => {
        // The data that the projection needs was already deleted, so nothing is retained for it any longer.
        if (isPruned(error)) retainChanges(holder, undefined);
      },
    }),
  );
}

/** Returns the seq of the newest processed entry; -1 after the rows of another version were deleted. */
function resume({ database, projection: { name, version }, log }: RunnerOptions): number {
  const cursor = database.cursor(name);
  if (cursor?.version === version) return cursor.seq;
  log.info({ projection: name, version }, 'projection rebuild started');
  database.clear(name, { version, seq: -1 });
  return -1;
}

function isPruned(error: unknown): boolean {
  return error instanceof TronError && (error.code === 'HISTORY_NOT_KEPT' || error.code === 'LOG_CUT');
}
