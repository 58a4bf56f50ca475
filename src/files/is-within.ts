import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** True if a path is below a folder. Symbolic links are resolved first. The path does not need to exist. */
export function isWithin(folder: string, path: string): boolean {
  const below = relative(resolved(resolve(folder)), resolved(resolve(path)));
  return below !== '' && below.split('/')[0] !== '..';
}

/** Returns the path with the symbolic links of its existing part resolved. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolved(parent), basename(path));
  }
}
