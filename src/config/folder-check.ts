import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Nearest folder above that exists decides, so that checking leaves nothing behind. */
export function isFolderPossible(path: string): boolean {
  const full = resolve(path);
  if (existsSync(full)) return true;
  let above = dirname(full);
  while (!existsSync(above)) above = dirname(above);
  return statSync(above).isDirectory() && isWritable(above);
}

/** True as well for what does not exist yet. */
export function isWritable(path: string): boolean {
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
