import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { FormatError } from './byte-reader.js';

/** Number of bytes that one read from the disk returns. It is large, because most reads of a table are sequential. */
const WINDOW_BYTES = 1024 * 1024;

/** A read-only file with random access. */
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

  /**
   * Returns a view of bytes of the file. Later calls do not overwrite these bytes.
   * @throws {FormatError} the bytes are beyond the end of the file
   */
  read(at: number, length: number): Buffer {
    if (at < 0 || at + length > this.size)
      throw new FormatError(`cannot read bytes ${at} to ${at + length}: the file has ${this.size} bytes`);
    if (at < this.windowAt || at + length > this.windowAt + this.window.length) this.fill(at, length);
    return this.window.subarray(at - this.windowAt, at - this.windowAt + length);
  }

  close(): void {
    closeSync(this.file);
  }

  private fill(at: number, length: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.min(this.size - at, Math.max(length, WINDOW_BYTES)));
    for (let done = 0; done < bytes.length; ) {
      const bytesRead = readSync(this.file, bytes, done, bytes.length - done, at + done);
      if (bytesRead === 0) throw new FormatError('file became shorter while it was read');
      done += bytesRead;
    }
    this.window = bytes;
    this.windowAt = at;
  }
}
