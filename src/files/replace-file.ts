import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { flushFolders } from './flush-folders.js';

/**
 * Replaces a file atomically and durably. After a kill or a power failure, the file has either the old or the new
 * content. When the function returns, the new content is durable. `mode` sets the permissions of the file.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const folder = dirname(resolve(path));
  const firstNew = mkdirSync(folder, { recursive: true });
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', mode);
  try {
    // Unlike `writeSync`, `writeFileSync` throws if the disk has no space for the whole text.
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  flushFolders(folder, firstNew);
}
