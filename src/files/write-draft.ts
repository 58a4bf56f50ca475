import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes the parts of a file by calls of the given function. */
export type WriteParts = (write: (part: string | Uint8Array) => void) => void;

interface WriteOptions {
  /** Permissions of a new file. */
  readonly mode?: number | undefined;
  /** True if the content must be durable. Pipes and devices cannot be flushed. */
  readonly isDurable: boolean;
}

/** Writes a file, a pipe or a device. @returns number of bytes */
export function writeParts(path: string, work: WriteParts, { mode, isDurable }: WriteOptions): number {
  const file = openSync(path, 'w', mode);
  let bytes = 0;
  try {
    work((part) => {
      // Unlike `writeSync`, `writeFileSync` throws if the disk has no space for the whole part.
      writeFileSync(file, part);
      bytes += Buffer.byteLength(part);
    });
    if (isDurable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return bytes;
}

/**
 * Writes a file under the path of its draft, and renames the draft when its content is durable. After an error, no
 * draft remains. The caller flushes the folder.
 * @returns number of bytes
 */
export function writeDraft(draft: string, path: string, work: WriteParts, mode?: number): number {
  try {
    const bytes = writeParts(draft, work, { mode, isDurable: true });
    renameSync(draft, path);
    return bytes;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
