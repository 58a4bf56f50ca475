import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { flushFolders } from './flush-folders.js';
import { writeDraft } from './write-draft.js';

/** End of the name of a file that is not complete yet. */
const DRAFT = '.new';

/** Returns true for the name of a draft, which {@link replaceFile} can rename at any time. */
export function isDraft(name: string): boolean {
  return name.endsWith(DRAFT);
}

/**
 * Replaces a file atomically and durably. After a kill or a power failure, the file has either the old or the new
 * content. When the function returns, the new content is durable. `mode` sets the permissions of the file.
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const folder = dirname(resolve(path));
  const firstNew = mkdirSync(folder, { recursive: true });
  writeDraft(`${path}${DRAFT}`, path, (write) => write(text), mode);
  flushFolders(folder, firstNew);
}
