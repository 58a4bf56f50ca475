import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { TronError, UsageError } from '../primitives/errors.js';

export interface FolderLock {
  /** Releases the lock of the folder for other processes. Further calls do nothing. */
  close(): void;
}

/** File descriptor number under which `flock` inherits the open folder. */
const INHERITED = 3;

/**
 * Makes this process the only writer of a data folder.
 *
 * Node has no function that locks a folder. Therefore the program `flock` inherits the open folder and locks it. The
 * lock then belongs to this process. The kernel releases it when the process ends, also after SIGKILL.
 *
 * The kernel stores the lock with the inode of the folder, so the lock also excludes processes of other containers that
 * share the volume. A copy of the folder is not locked.
 * @throws {UsageError} another process, or another ledger of this process, has the folder open
 * @throws {TronError} LOCK_FAILED: the folder cannot be locked, for example because `flock` (util-linux) is missing
 */
export async function lockFolder(path: string): Promise<FolderLock> {
  const lock = tryLockFolder(path);
  if (lock !== undefined) return lock;
  throw new UsageError(`${path} is in use by another process; stop that process, or use another data folder (-d)`);
}

/**
 * Locks a folder like {@link lockFolder}.
 * @returns undefined if another process, or another part of this process, has the folder locked
 * @throws {TronError} LOCK_FAILED: the folder cannot be locked
 */
export function tryLockFolder(path: string): FolderLock | undefined {
  return tryLock(path, '-x');
}

/**
 * Locks a data folder against writers, for a process that only reads the folder. Several readers can have this lock at
 * the same time. Does not write to the folder, so the folder may belong to another user or be mounted read-only.
 * @returns undefined if a process has the folder open for writing
 * @throws {TronError} LOCK_FAILED: the folder cannot be locked
 */
export function lockAgainstWriters(path: string): FolderLock | undefined {
  return tryLock(path, '-s');
}

/** @returns undefined if another process has a lock that excludes this lock */
function tryLock(path: string, kind: '-x' | '-s'): FolderLock | undefined {
  const folder = openSync(path, 'r');
  const { status, error, stderr } = spawnSync('flock', ['-n', kind, String(INHERITED)], {
    stdio: ['ignore', 'ignore', 'pipe', folder],
    encoding: 'utf8',
  });
  if (status === 0) return lockOf(folder);
  closeSync(folder);
  const reason = error?.message ?? stderr.trim();
  if (reason === '' && status === 1) return undefined;
  throw new TronError(
    'LOCK_FAILED',
    `cannot lock ${path}: ${reason}; install util-linux, and use a file system with flock`,
  );
}

/**
 * Returns a lock that closes its descriptor only once, because the system may later use the same number for another
 * file.
 */
function lockOf(folder: number): FolderLock {
  let isOpen = true;
  return {
    close: () => {
      if (isOpen) closeSync(folder);
      isOpen = false;
    },
  };
}
