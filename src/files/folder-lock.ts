import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { UsageError } from '../primitives/errors.js';

export interface FolderLock {
  /** Releases the lock. */
  close(): void;
}

/**
 * Makes this process the only writer of a data folder. The lock is a listening socket in the abstract namespace of
 * Linux, named by device and inode of the folder. The kernel releases it when the process ends for any reason, and a
 * copied folder has another name.
 * @throws {UsageError} another process (or another ledger of this process) has the folder open
 */
export function lockFolder(path: string): Promise<FolderLock> {
  const { dev, ino } = statSync(path, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new UsageError(`${path} is in use by another process`) : error);
    });
    server.listen(`\0tronicle-${dev}-${ino}`, () => {
      server.unref();
      resolve({ close: () => void server.close() });
    });
  });
}
