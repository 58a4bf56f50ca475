import type { Logger } from 'pino';
import { lastValueFrom, tap } from 'rxjs';
import { LogIndex } from '../../api/jsonrpc/logs/log-index.js';
import { UsageError } from '../../primitives/errors.js';
import { AccountHistory } from '../../projections/indexes/account-history.js';
import { enabledIndexes, indexProjections } from '../../projections/indexes/indexes.js';
import { logBlooms } from '../../projections/indexes/log-blooms.js';
import type { Ledger, RetainChanges } from '../../projections/ledger/ledger.js';
import { projectLog } from '../../projections/runner/project-log.js';
import type { Projection } from '../../projections/runner/projection.js';
import { ProjectionDatabase } from '../../projections/runner/projection-database.js';

export interface SecondaryProjections {
  /**
   * Index of contract logs. Undefined if the node has no data folder, or if the database of the index cannot be
   * opened. Queries then scan the blocks.
   */
  readonly logs: LogIndex | undefined;
  readonly histories: AccountHistory;
  /** Returns the sequence number of the newest log entry that each projection has stored; −1 if it has stored none. */
  progress(): readonly { readonly name: string; readonly seq: number }[];
  close(): Promise<void>;
}

interface SecondaryProjectionsOptions {
  readonly ledger: Ledger;
  readonly retainChanges: RetainChanges;
  /** Data folder; undefined disables projections. */
  readonly dataDir: string | undefined;
  /** Names of the configured projections (`tronicle.projections`). */
  readonly names: readonly string[];
  readonly addressPrefix: number;
  readonly log: Logger;
}

/**
 * Builds the bloom filters of all blocks and the configured histories. An existing projection resumes after its last
 * entry, and a new projection starts at the first block. Queries also use an incomplete projection. A projection that
 * fails logs an error and stops.
 */
export function startProjections(options: SecondaryProjectionsOptions): SecondaryProjections {
  const { ledger, retainChanges, dataDir, names, log } = options;
  if (dataDir === undefined) return noProjections(ledger);
  const database = openProjectionDatabase(dataDir, log, { readOnly: false });
  if (database === undefined) return noProjections(ledger);
  const stop = new AbortController();
  const projections = chosen(options);
  const running = projectLog({ ledger, retainChanges, database, projections, log, signal: stop.signal }).pipe(
    tap((event) => {
      if (event.kind === 'stopped') log.error({ err: event.error, projection: event.name }, 'projection stopped');
    }),
  );
  const ended = lastValueFrom(running, { defaultValue: undefined });
  return {
    ...readersOf(database, ledger, names),
    progress: () => progressOf(database, projections),
    close: async () => {
      stop.abort();
      await ended;
      await database.close();
    },
  };
}

/** Opens the projections that another thread builds. */
export function openProjections({
  ledger,
  dataDir,
  names,
  addressPrefix,
  log,
}: Omit<SecondaryProjectionsOptions, 'retainChanges'>): SecondaryProjections {
  if (dataDir === undefined) return noProjections(ledger);
  const database = openProjectionDatabase(dataDir, log, { readOnly: true });
  if (database === undefined) return noProjections(ledger);
  const projections = chosen({ names, addressPrefix });
  return {
    ...readersOf(database, ledger, names),
    progress: () => {
      database.refresh();
      return progressOf(database, projections);
    },
    close: () => database.close(),
  };
}

/** Checks the names in `tronicle.projections`. @throws {UsageError} unknown name */
export function checkProjections(names: readonly string[]): void {
  const known = indexProjections(0);
  const unknown = enabledIndexes(names).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `Check tronicle.projections, unknown name "${unknown}"; use all, or some of ${[...known.keys()].join(', ')}`,
  );
}

function noProjections(ledger: Ledger): SecondaryProjections {
  return {
    logs: undefined,
    histories: new AccountHistory(undefined, ledger, []),
    progress: () => [],
    close: async () => undefined,
  };
}

/** Opens the database of all index projections. If that fails, logs the error and returns undefined. */
export function openProjectionDatabase(
  dataDir: string,
  log: Logger,
  options: { readonly readOnly: boolean },
): ProjectionDatabase | undefined {
  try {
    return new ProjectionDatabase(dataDir, options);
  } catch (error) {
    log.error({ err: error }, 'index database not available');
    return undefined;
  }
}

function readersOf(
  database: ProjectionDatabase,
  ledger: Ledger,
  names: readonly string[],
): Pick<SecondaryProjections, 'logs' | 'histories'> {
  return {
    logs: new LogIndex(ledger, database),
    histories: new AccountHistory(database, ledger, enabledIndexes(names)),
  };
}

function progressOf(
  database: ProjectionDatabase,
  projections: readonly Projection[],
): ReturnType<SecondaryProjections['progress']> {
  return projections.map(({ name }) => ({ name, seq: database.cursor(name)?.seq ?? -1 }));
}

function chosen({
  names,
  addressPrefix,
}: Pick<SecondaryProjectionsOptions, 'names' | 'addressPrefix'>): readonly Projection[] {
  const known = indexProjections(addressPrefix);
  return [logBlooms, ...enabledIndexes(names).flatMap((name) => known.get(name) ?? [])];
}
