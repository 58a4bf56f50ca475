import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { UsageError } from '../primitives/errors.js';

export interface FolderLock {
  /** Lets others open the folder. */
  close(): void;
}

/**
 * Makes this process the only writer of a data folder. The lock is a listening socket in Linux's abstract name space,
 * named by device and inode of the folder: the kernel takes it away with the process, however that ends, and a copied
 * folder has another name.
 * @throws {UsageError} when another process (or another ledger of this one) has the folder open.
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
