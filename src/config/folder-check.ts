import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Returns true if the path exists, or if the folder could be created because its nearest existing parent folder is
 * writable. Creates nothing.
 */
export function isFolderPossible(path: string): boolean {
  const full = resolve(path);
  if (existsSync(full)) return true;
  let above = dirname(full);
  while (!existsSync(above)) above = dirname(above);
  return statSync(above).isDirectory() && isWritable(above);
}

/** Returns true if the path is writable or does not exist. */
export function isWritable(path: string): boolean {
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
