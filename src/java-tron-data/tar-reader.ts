import { itemAt } from '../primitives/assert.js';
import { errorText } from '../primitives/errors.js';
import { JavaDataError } from './java-data-error.js';

const BLOCK_BYTES = 512;
/** Maximum size of an extended header (such as a long name), in bytes. */
const NAME_BYTES_MAX = 64 * 1024;

/** A regular file of an archive. Its bytes must be read before the next file is requested. */
interface TarFile {
  readonly name: string;
  readonly size: number;
  /** Reads the content of the file. @throws {JavaDataError} the archive ends before the end of the file */
  bytes(): AsyncGenerator<Buffer>;
}

/**
 * Reads the regular files of a tar archive, in the order of the archive. Supports ustar, GNU long names and pax. Other
 * entries (folders, links) are skipped.
 * @throws {JavaDataError} the archive is malformed or truncated. The error contains the name of the archive
 */
export async function* readTar(source: AsyncIterable<Buffer>, archive: string): AsyncGenerator<TarFile> {
  const input = new ByteQueue(source, archive);
  let longName: string | undefined;
  let longSize: number | undefined;
  let isFirst = true;
  for (;;) {
    const head = await input.take(BLOCK_BYTES, !isFirst);
    if (head === undefined) throw new JavaDataError(archive, isFirst ? 'archive is empty' : 'archive is truncated');
    isFirst = false;
    if (head.every((byte) => byte === 0)) return input.drain();
    checkSum(head, archive);
    const size = longSize ?? readSize(head, archive);
    const kind = String.fromCharCode(itemAt(head, 156));
    const name = longName ?? nameOf(head);
    const padding = (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
    if (kind === 'L' || kind === 'x') {
      if (size > NAME_BYTES_MAX)
        throw new JavaDataError(archive, `archive contains a name longer than ${NAME_BYTES_MAX} bytes`);
      const text = (await input.exactly(size)).toString();
      await input.exactly(padding);
      if (kind === 'L') longName = text.replace(/\0.*$/s, '');
      else [longName, longSize] = [paxValue(text, 'path') ?? longName, numberOf(paxValue(text, 'size')) ?? longSize];
      continue;
    }
    [longName, longSize] = [undefined, undefined];
    let left = size;
    const bytes = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const chunk = await input.some(left);
        left -= chunk.length;
        yield chunk;
      }
    };
    if (kind === '0' || kind === '\0') yield { name, size, bytes };
    while (left > 0) left -= (await input.some(left)).length;
    await input.exactly(padding);
  }
}

/** A stream that can be read in pieces of any size. */
class ByteQueue {
  private readonly source: AsyncIterator<Buffer>;
  private readonly archive: string;
  private chunk: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>, archive: string) {
    this.source = source[Symbol.asyncIterator]();
    this.archive = archive;
  }

  /** Returns at least one byte and at most `max` bytes. @throws {JavaDataError} the stream has ended */
  async some(max: number): Promise<Buffer> {
    if (this.chunk.length === 0 && !(await this.fill())) throw new JavaDataError(this.archive, 'archive is truncated');
    const part = this.chunk.subarray(0, max);
    this.chunk = this.chunk.subarray(part.length);
    return part;
  }

  async exactly(length: number): Promise<Buffer> {
    const bytes = await this.take(length, true);
    if (bytes === undefined) throw new JavaDataError(this.archive, 'archive is truncated');
    return bytes;
  }

  /**
   * Returns exactly `length` bytes. Returns undefined if the stream has already ended and `mustBe` is false.
   * @throws {JavaDataError} the stream ends too early
   */
  async take(length: number, mustBe: boolean): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0; ) {
      if (this.chunk.length === 0 && !(await this.fill())) {
        if (parts.length === 0 && !mustBe) return undefined;
        throw new JavaDataError(this.archive, 'archive is truncated');
      }
      const part = await this.some(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Reads to the end of the archive, so that the checksum at the end of the compressed stream is verified. */
  async drain(): Promise<void> {
    while (await this.fill());
  }

  private async fill(): Promise<boolean> {
    try {
      const next = await this.source.next();
      if (next.done === true) return false;
      this.chunk = next.value;
      return true;
    } catch (cause) {
      if (cause instanceof JavaDataError) throw cause;
      const reason = errorText(cause);
      throw new JavaDataError(this.archive, `archive cannot be read (${reason})`, { cause });
    }
  }
}

function checkSum(head: Buffer, archive: string): void {
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK_BYTES; at++) if (at < 148 || at >= 156) sum += itemAt(head, at);
  if (Number.parseInt(textAt(head, 148, 8), 8) !== sum)
    throw new JavaDataError(archive, 'not a tar archive, or damaged');
}

function nameOf(head: Buffer): string {
  const prefix = head.toString('latin1', 257, 262) === 'ustar' && head[263] !== 0x20 ? textAt(head, 345, 155) : '';
  const name = textAt(head, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/**
 * Reads a size field, which contains octal digits. If its highest bit is set (large files), the field contains a
 * binary number instead.
 */
function readSize(head: Buffer, archive: string): number {
  const isBinary = (itemAt(head, 124) & 0x80) !== 0;
  const size = isBinary ? Number(head.readBigUInt64BE(128)) : Number.parseInt(textAt(head, 124, 12).trim() || '0', 8);
  if (!Number.isSafeInteger(size) || size < 0)
    throw new JavaDataError(archive, 'archive contains a file without a size');
  return size;
}

function textAt(head: Buffer, at: number, length: number): string {
  const end = head.indexOf(0, at);
  return head.toString('utf8', at, end < 0 ? at + length : Math.min(end, at + length));
}

/** Returns a value from a pax header, which consists of records `<length> <name>=<value>\n`. */
function paxValue(text: string, name: string): string | undefined {
  return new RegExp(`^\\d+ ${name}=(.*)$`, 'm').exec(text)?.[1];
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
