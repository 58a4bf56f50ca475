import { DamageError, TronError } from '../primitives/errors.js';

/** Returns the error for a damaged log. @param where location and finding */
export function logDamage(file: string, where: string): DamageError {
  return new DamageError(
    `${file} is damaged: ${where}; restore a backup, or rebuild the log with 'tronicle export --until <last intact block>' and 'tronicle import' into a new folder`,
  );
}

/** Returns the error for an entry or a block that is missing in the log. The cause is a bug. */
export function logHole(finding: string): TronError {
  return new TronError('LOG_HOLE', `internal error: ${finding}; run 'tronicle verify' and report the output`);
}

/**
 * Returns the error for pruned data.
 * @param what the entry or the block
 * @param startNumber height of the newest pruned block
 */
export function logCut(what: string, startNumber: number): TronError {
  return new TronError(
    'LOG_CUT',
    `${what} was deleted: the log starts after block ${startNumber}; tronicle.log.retention sets the number of blocks to keep`,
  );
}

/** Returns the error for a damaged entry. @param what the damaged part of the entry */
export function entryDamage(file: string, seq: number, what = 'entry'): DamageError {
  return logDamage(file, `${what} ${seq} is corrupt`);
}
