import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Replaces a file atomically and durably. After a kill or a power failure, the file has either the old or the new
 * content. When the function returns, the new content is durable.
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
  flushFolders(folder, firstNew === undefined ? folder : dirname(firstNew));
}

/** Flushes the entries of a folder to disk, and those of its parents up to `highest`. */
function flushFolders(folder: string, highest: string): void {
  const open = openSync(folder, 'r');
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
  if (folder !== highest) flushFolders(dirname(folder), highest);
}
