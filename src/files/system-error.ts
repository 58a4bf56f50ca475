import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Sentences for the errors of system calls on files: what is wrong with the path, and what to do. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: (path) => `${path} already exists; use another path`,
  ENOENT: missing,
  ENOTDIR: (path) => `${nearestExisting(path)} is not a folder; use another path`,
  EISDIR: (path) => `${path} is a folder; use the path of a file`,
  ENOTEMPTY: (path) => `${path} is not empty; use an empty folder`,
  EACCES: (path) => `no permission for ${path}; change its owner or its permissions`,
  EPERM: (path) => `no permission for ${path}; change its owner or its permissions`,
  EROFS: (path) => `${path} is on a read-only file system; use another path`,
  ENOSPC: (path) => `no space left on the disk of ${path}; free disk space`,
  EDQUOT: (path) => `the disk quota for ${path} is used up; free disk space`,
  EMFILE: (path) => `cannot open ${path}: too many open files; raise the limit (ulimit -n)`,
};

/** Returns true for an error of a system call, such as a missing permission. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Describes an error of a system call on a file in one sentence, with the path and a remedy. Returns the text of the
 * operating system for other errors.
 * @param path path of the file. Must be set if `error` has no path, for example if reading an open file failed
 */
export function systemErrorText(error: NodeJS.ErrnoException, path: string | undefined = error.path): string {
  const sentence = SENTENCES[error.code ?? ''];
  return sentence === undefined || path === undefined ? error.message : sentence(path);
}

/** Describes a path that does not exist. Names the first missing folder if the folder of the path is missing too. */
function missing(path: string): string {
  let folder = dirname(resolve(path));
  if (existsSync(folder)) return `${path} does not exist; check the path`;
  while (!existsSync(dirname(folder))) folder = dirname(folder);
  return `the folder ${folder} does not exist; create it, or use another path`;
}

/** Returns the part of a path that exists but is not a folder. If all parts are folders, returns the path itself. */
function nearestExisting(path: string): string {
  let found = resolve(path);
  while (!existsSync(found)) found = dirname(found);
  return statSync(found).isDirectory() ? path : found;
}
