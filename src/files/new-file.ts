import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../primitives/errors.js';
import { flushFolders } from './flush-folders.js';
import { type WriteParts, writeDraft, writeParts } from './write-draft.js';

/**
 * Refuses the path of an existing file. Accepts pipes and devices, such as `/dev/stdout`.
 * @throws {UsageError} a file of this name exists
 */
export function refuseExisting(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    throw new UsageError(`${path} already exists; use another file, or --force to replace the file`);
}

/**
 * Requires that a folder is empty or does not exist.
 * @param ignored name of an entry that the folder may contain
 * @throws {UsageError} the folder is not empty
 */
export function requireEmpty(folder: string, ignored?: string): void {
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== ignored))
    throw new UsageError(`${folder} is not empty; use an empty folder`);
}

/**
 * Writes a file part by part. The file appears under its name when it is complete and durable. Until then, its name
 * ends with `.part`, so no incomplete file has the final name after a kill. After an error, the draft is
 * deleted. A pipe or a device is written directly.
 * @returns number of bytes
 */
export function writeNewFile(path: string, work: WriteParts): number {
  // Resolves links, so that the draft is next to the file and not next to a link such as `/dev/stdout`.
  const target = existsSync(path) ? realpathSync(path) : path;
  if (statSync(target, { throwIfNoEntry: false })?.isFile() === false)
    return writeParts(target, work, { isDurable: false });
  const bytes = writeDraft(`${target}.part`, target, work);
  flushFolders(dirname(target));
  return bytes;
}
