import type { Logger } from 'pino';
import { LogIndex } from '../../api/jsonrpc/logs/log-index.js';
import { UsageError } from '../../primitives/errors.js';
import { AccountHistory } from '../../projections/indexes/account-history.js';
import { indexProjections } from '../../projections/indexes/indexes.js';
import { logBlooms } from '../../projections/indexes/log-blooms.js';
import type { HoldChanges, Ledger } from '../../projections/ledger/ledger.js';
import type { Projection } from '../../projections/runner/projection.js';
import { ProjectionDatabase } from '../../projections/runner/projection-database.js';
import { runProjections } from '../../projections/runner/runner.js';

export interface SecondaryProjections {
  /** Absent where the folder cannot be used: questions read the blocks themselves. */
  readonly logs: LogIndex | undefined;
  readonly histories: AccountHistory;
  /** How far each has come: the seq of the newest entry folded in, -1 for none. */
  progress(): readonly { readonly name: string; readonly seq: number }[];
  close(): Promise<void>;
}

interface SecondaryProjectionsOptions {
  readonly ledger: Ledger;
  readonly holdChanges: HoldChanges;
  /** Absent: none are kept. */
  readonly dataDir: string | undefined;
  /** `tronicle.projections` */
  readonly names: readonly string[];
  readonly addressPrefix: number;
  readonly log: Logger;
}

/**
 * Builds the bloom filters of all blocks and the histories that are switched on, each from where it ended the last
 * time, one that is new from the first block; answers come from them meanwhile. One that fails stands still, and the
 * log says so.
 */
export function startProjections(options: SecondaryProjectionsOptions): SecondaryProjections {
  const { ledger, holdChanges, dataDir, names, log } = options;
  const none = {
    logs: undefined,
    histories: new AccountHistory(undefined, ledger, []),
    progress: () => [],
    close: async () => undefined,
  };
  if (dataDir === undefined) return none;
  let database: ProjectionDatabase;
  try {
    database = new ProjectionDatabase(dataDir, { readOnly: false });
  } catch (error) {
    log.error({ err: error }, 'there are no secondary projections');
    return none;
  }
  const stop = new AbortController();
  const projections = chosen(options);
  const running = projections.map((projection) =>
    runProjections({ ledger, holdChanges, database, projections: [projection], log }, stop.signal).catch(
      (error: unknown) => log.error({ err: error, projection: projection.name }, 'a projection stands still'),
    ),
  );
  return {
    logs: new LogIndex(ledger, database),
    histories: new AccountHistory(database, ledger, names),
    progress: () => projections.map(({ name }) => ({ name, seq: database.cursor(name)?.seq ?? -1 })),
    close: async () => {
      stop.abort();
      await Promise.all(running);
      await database.close();
    },
  };
}

/** @throws {UsageError} a name that no projection has */
export function checkProjections(names: readonly string[]): void {
  const known = indexProjections(0);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new UsageError(`Check tronicle.projections, there is no "${unknown}", only ${[...known.keys()].join(', ')}`);
}

function chosen({ names, addressPrefix }: SecondaryProjectionsOptions): readonly Projection[] {
  const known = indexProjections(addressPrefix);
  return [logBlooms, ...names.flatMap((name) => known.get(name) ?? [])];
}
