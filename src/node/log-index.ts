import type { Logger } from 'pino';
import { LogIndex } from '../api/jsonrpc/log-index.js';
import type { Ledger } from '../projections/ledger.js';
import { logBlooms } from '../projections/log-blooms.js';
import { ProjectionDatabase } from '../projections/projection-database.js';
import { runProjections } from '../projections/runner.js';

export interface RunningLogIndex {
  readonly index: LogIndex;
  close(): Promise<void>;
}

/**
 * Builds the bloom filters of all blocks, from where the last run ended, and answers from them meanwhile. When that fails, the index
 * stands still, or there is none: questions read the blocks themselves.
 */
export function startLogIndex(ledger: Ledger, dataDir: string, log: Logger): RunningLogIndex | undefined {
  let database: ProjectionDatabase;
  try {
    database = new ProjectionDatabase(dataDir, { readOnly: false });
  } catch (error) {
    log.error({ err: error, projection: logBlooms.name }, 'there is no index of logs');
    return undefined;
  }
  const stop = new AbortController();
  const running = runProjections({ ledger, database, projections: [logBlooms], log }, stop.signal).catch((error) =>
    log.error({ err: error, projection: logBlooms.name }, 'the index of logs stands still'),
  );
  return {
    index: new LogIndex(ledger, database),
    close: async () => {
      stop.abort();
      await running;
      await database.close();
    },
  };
}
