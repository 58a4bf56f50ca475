import { statSync } from 'node:fs';

/**
 * Returns true if a file or folder exists. Unlike `existsSync`, which returns false for a path that this process must
 * not read, it throws the error of the system.
 */
export function isPresent(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
