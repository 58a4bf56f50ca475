import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A fault that is inserted in one source file. The test of this file must then fail. */
export interface Fault {
  /** Description of the fault, as a sentence. */
  readonly fault: string;
  /** Path of the source file. */
  readonly file: string;
  /** Text to replace. It must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Copy of parts of the repository. It contains at most one fault at a time. */
export class FaultyCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'tronicle-fault-'));

  /** @param parts files and folders to copy; the installed packages are not copied but linked */
  constructor(parts: readonly string[]) {
    for (const part of parts) cpSync(join(root, part), join(this.folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /**
   * Runs `work` while a fault is present, then removes the fault.
   * @throws {Error} the text to replace does not occur exactly once in the file
   */
  async with<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> {
    const path = join(this.folder, fault.file);
    const original = readFileSync(path, 'utf8');
    writeFileSync(path, withFault(original, fault));
    try {
      return await work();
    } finally {
      writeFileSync(path, original);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function withFault(text: string, { fault, file, find, replace }: Fault): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`${file} contains the text of "${fault}" ${parts.length - 1} times, expected once`);
  return parts.join(replace);
}
