import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Returns true if a path is below a folder, after resolving symbolic links. The path need not exist. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(resolved(resolve(folder)), resolved(resolve(path)));
  return below !== '' && below.split('/')[0] !== '..';
}

/** Returns true if two paths name the same file, after resolving symbolic links. The file need not exist. */
export function isSamePath(one: string, other: string): boolean {
  return resolved(resolve(one)) === resolved(resolve(other));
}

/** Returns a path in which the symbolic links of the existing part are resolved. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolved(parent), basename(path));
  }
}
