import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isKeyFile, type KeyFile, toKeyFile } from '../../crypto/keystore/key-file.js';
import { UsageError } from '../../primitives/errors.js';

/**
 * Maximum size of a key file in bytes, about ten times the usual size. Reference: KeystoreCliUtils.MAX_KEYSTORE_SIZE.
 */
const KEY_FILE_BYTES_MAX = 8 * 1024;
const OWNER_ONLY = 0o600;

export interface FoundKey {
  readonly address: string;
  /** File name within the folder. */
  readonly file: string;
}

/**
 * Reads and writes the key files of a folder. Does not follow symbolic links, so that an attacker's link cannot
 * redirect a read. Reference: KeystoreCliUtils.
 */
export class KeyFolder {
  readonly path: string;
  private readonly warn: (line: string) => void;

  constructor(path: string, warn: (line: string) => void) {
    this.path = path;
    this.warn = warn;
  }

  /** Creates the folder if it does not exist. @throws {UsageError} a file has that name */
  make(): void {
    this.exists();
    mkdirSync(this.path, { recursive: true });
  }

  /**
   * Returns the key files, sorted by name. Skips all other files, and warns about each `.json` file that cannot be
   * read or parsed.
   * @throws {UsageError} the path is a file
   */
  list(): readonly FoundKey[] {
    if (!this.exists()) return [];
    const names = readdirSync(this.path).filter((name) => name.endsWith('.json'));
    return names.sort().flatMap((file) => {
      const found = this.read(file);
      return found === undefined ? [] : [{ address: found.address, file }];
    });
  }

  /** Returns true if the folder exists. @throws {UsageError} the path is a file */
  private exists(): boolean {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory())
      throw new UsageError(`Error: Path exists but is not a directory: ${this.path}`);
    return found !== undefined;
  }

  /** Returns the content of a key file; undefined if the file is not readable or is no key file. */
  read(file: string): (KeyFile & { readonly address: string }) | undefined {
    const read = readRegular(join(this.path, file), KEY_FILE_BYTES_MAX);
    if (typeof read === 'string') {
      this.warn(`Warning: skipping ${WARNINGS[read]}: ${file}`);
      return undefined;
    }
    try {
      const value = toKeyFile(JSON.parse(read.toString()));
      return isKeyFile(value) ? value : undefined;
    } catch {
      this.warn(`Warning: skipping unreadable file: ${file}`);
      return undefined;
    }
  }

  /** Atomically writes a file that only its owner can read. @returns name of the file */
  write(key: KeyFile, file = nameOf(key)): string {
    const target = join(this.path, file);
    const unfinished = `${target}.tmp`;
    try {
      writeFileSync(unfinished, JSON.stringify(key), { mode: OWNER_ONLY, flag: 'wx' });
      renameSync(unfinished, target);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
    return file;
  }
}

/** Reason why a file was not read. */
export type UnreadableReason = 'missing' | 'link' | 'irregular' | 'oversized';

const WARNINGS: Readonly<Record<UnreadableReason, string>> = {
  missing: 'unreadable file',
  link: 'symbolic link',
  irregular: 'non-regular file',
  oversized: `oversized file (>${KEY_FILE_BYTES_MAX} bytes)`,
};

/**
 * Returns the content of a regular file (no link, no device), or the reason why it was not read.
 * Reference: KeystoreCliUtils.readRegularFile.
 */
export function readRegular(path: string, bytesMax: number): Buffer | UnreadableReason {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'link' : 'missing';
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return 'irregular';
    return stat.size > bytesMax ? 'oversized' : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the file name `UTC--2026-11-23T13-08-00.123000000Z--<address>.json`. Reference:
 * WalletUtils.getWalletFileName.
 */
function nameOf({ address }: KeyFile): string {
  const [time, ms] = new Date().toISOString().replaceAll(':', '-').slice(0, -1).split('.');
  return `UTC--${time}.${Number(ms) * 1_000_000}Z--${address}.json`;
}
