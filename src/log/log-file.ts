import { join } from 'node:path';
import { isPresent } from '../files/is-present.js';
import { UsageError } from '../primitives/errors.js';

/** Returns the path of the log's database file in a data folder. */
export function logFile(dataDir: string): string {
  return join(dataDir, 'log', 'data.mdb');
}

/** Returns true if the data folder has a log. */
export function hasLog(dataDir: string): boolean {
  return isPresent(logFile(dataDir));
}

/**
 * Checks that a data folder has a log, because opening a folder for writing would create a log.
 * @throws {UsageError} no log
 */
export function requireLog(dataDir: string): void {
  if (!hasLog(dataDir)) throw new UsageError(`${dataDir} contains no Tronicle data; set the data folder with -d`);
}
