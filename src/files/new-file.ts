import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../primitives/errors.js';
import { flushFolders } from './flush-folders.js';

/** @throws {UsageError} a file of this name exists. Allows pipes and devices, such as `/dev/stdout`. */
export function refuseExisting(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    throw new UsageError(`${path} already exists; use another file, or --force to replace the file`);
}

/**
 * Writes a file part by part. The file appears under its name when it is complete and durable. Until then, its name
 * ends with `.part`, so that a kill leaves no incomplete file of that name. After an error, no file remains. Writes to
 * a pipe or a device directly.
 * @returns number of bytes
 */
export async function writeNewFile(
  path: string,
  work: (write: (bytes: string | Uint8Array) => void) => void | Promise<void>,
): Promise<number> {
  // Resolves links, so that the draft is next to the file and not next to a link such as `/dev/stdout`.
  const target = existsSync(path) ? realpathSync(path) : path;
  const isRegular = statSync(target, { throwIfNoEntry: false })?.isFile() !== false;
  const draft = isRegular ? `${target}.part` : target;
  const file = openSync(draft, 'w');
  let bytes = 0;
  try {
    await work((part) => {
      // Unlike `writeSync`, `writeFileSync` throws if the disk has no space for the whole part.
      writeFileSync(file, part);
      bytes += Buffer.byteLength(part);
    });
    if (isRegular) fsyncSync(file);
  } catch (error) {
    if (isRegular) rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  if (isRegular) {
    renameSync(draft, target);
    flushFolders(dirname(target));
  }
  return bytes;
}
