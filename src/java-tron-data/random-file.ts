import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { FormatError } from './byte-reader.js';

/** Bytes read at once: tables are mostly read from begin to end. */
const WINDOW_BYTES = 1024 * 1024;

/** A file that is read at any place, and never written. */
export class RandomFile {
  readonly path: string;
  readonly size: number;
  private readonly file: number;
  private window: Buffer = Buffer.alloc(0);
  private windowAt = 0;

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'r');
    this.size = fstatSync(this.file).size;
  }

  /** Bytes that stay as they are. @throws {FormatError} beyond the end */
  read(at: number, length: number): Buffer {
    if (at < 0 || at + length > this.size) throw new FormatError('it is cut off, or names a place beyond its end');
    if (at < this.windowAt || at + length > this.windowAt + this.window.length) this.fill(at, length);
    return this.window.subarray(at - this.windowAt, at - this.windowAt + length);
  }

  close(): void {
    closeSync(this.file);
  }

  private fill(at: number, length: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.min(this.size - at, Math.max(length, WINDOW_BYTES)));
    for (let done = 0; done < bytes.length; ) {
      const got = readSync(this.file, bytes, done, bytes.length - done, at + done);
      if (got === 0) throw new FormatError('it became shorter while it was read');
      done += got;
    }
    this.window = bytes;
    this.windowAt = at;
  }
}
