import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { TronError, UsageError } from '../primitives/errors.js';

export interface FolderLock {
  /** Releases the folder for other processes. Further calls do nothing. */
  close(): void;
}

/** Descriptor under which `flock` inherits the open folder. */
const INHERITED = 3;

/**
 * Makes this process the only writer of a data folder.
 *
 * The kernel keeps the lock with the inode. So it holds between containers that share a volume, whatever their network,
 * process and mount namespaces. Node has no call for it. The program `flock` locks the open folder that it inherits;
 * the lock then belongs to this process. The kernel releases it when the process ends, also by SIGKILL. A copied folder
 * is not locked.
 * @throws {UsageError} another process, or another ledger of this process, has the folder open
 * @throws {TronError} LOCK_FAILED the lock cannot be taken, for example because `flock` (util-linux) is missing
 */
export async function lockFolder(path: string): Promise<FolderLock> {
  const folder = openSync(path, 'r');
  const { status, error, stderr } = spawnSync('flock', ['-n', '-x', String(INHERITED)], {
    stdio: ['ignore', 'ignore', 'pipe', folder],
    encoding: 'utf8',
  });
  if (status === 0) return lockOf(folder);
  closeSync(folder);
  const reason = error?.message ?? stderr.trim();
  if (reason === '' && status === 1) throw new UsageError(`${path} is in use by another process`);
  throw new TronError(
    'LOCK_FAILED',
    `cannot lock ${path}: ${reason}; install util-linux, and use a file system with flock`,
  );
}

/** Closes the descriptor only once, because the system may reuse its number for another file afterwards. */
function lockOf(folder: number): FolderLock {
  let isOpen = true;
  return {
    close: () => {
      if (isOpen) closeSync(folder);
      isOpen = false;
    },
  };
}
