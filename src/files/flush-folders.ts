import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes new entries of a folder durable. Flushing a new file does not flush its entry in the folder.
 * @param firstNew result of `mkdirSync(folder, { recursive: true })`: the highest folder that the call created. The
 * entries of all created folders are flushed as well.
 */
export function flushFolders(folder: string, firstNew?: string): void {
  const highest = dirname(resolve(firstNew ?? folder));
  for (let path = resolve(folder); ; path = dirname(path)) {
    flushFolder(path);
    if (firstNew === undefined || path === highest || path === dirname(path)) return;
  }
}

function flushFolder(path: string): void {
  let folder: number;
  try {
    folder = openSync(path, 'r');
  } catch (error) {
    // A process may create entries in a folder that it cannot read. No system call flushes such a folder, so the error
    // is ignored.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return;
    throw error;
  }
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
