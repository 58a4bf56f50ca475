import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** True if a path is below a folder once symbolic links are followed. The path does not need to exist. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(followed(resolve(folder)), followed(resolve(path)));
  return below !== '' && below.split('/')[0] !== '..' && !isAbsolute(below);
}

/** Follows the links of the part of a path that exists. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(followed(parent), basename(path));
  }
}
