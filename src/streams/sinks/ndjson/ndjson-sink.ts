import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { flushFolders } from '../../../files/flush-folders.js';
import { itemAt } from '../../../primitives/assert.js';
import { type BlockPosition, positionOf } from '../../follow/block-position.js';
import type { BlockRecords, RecordPosition } from '../../records/event-record.js';
import { recordLines } from '../../records/record-line.js';
import { SinkError } from '../../sink-error.js';
import { CheckpointFile, type StoredCheckpoint } from '../checkpoint-file.js';
import type { Sink } from '../sink.js';
import { EMPTY_BLOCKS_MAX } from '../sink.js';

interface NdjsonSinkOptions {
  readonly name: string;
  readonly path: string;
  /**
   * Path of the checkpoint file, which stores position and file length. The lines of the output also contain the
   * position.
   */
  readonly checkpointFile: string;
}

const CHUNK_BYTES = 1 << 20;

/**
 * Interval of disk flushes, in ms. Lines that are not flushed survive a kill. After a power failure, lost lines are
 * written again from the checkpoint.
 *
 * Each flush delays the flushes of log and state. With a flush per batch, an import took 50 % longer.
 */
const FLUSH_MS = 1000;

/**
 * Appends the records of whole blocks to a file of JSON lines. A killed process can leave an incomplete block at the
 * end. A power failure can leave zeros in the part that was not flushed. The next start truncates the file after its
 * last complete block, and writes the later blocks again.
 */
export class NdjsonSink implements Sink {
  readonly name: string;
  readonly batch = { records: 5000, bytes: 8 * 1024 * 1024 };
  private readonly path: string;
  private readonly checkpoint: CheckpointFile;
  private file: number | undefined;
  private bytes = 0;
  private remembered = -1;
  private last: RecordPosition | undefined;
  /** Position that was written but not flushed. */
  private unflushed: StoredCheckpoint | undefined;
  /** Time of the last flush. The first write is flushed at once, so that the file has a checkpoint. */
  private flushedAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private failure: unknown;

  constructor({ name, path, checkpointFile }: NdjsonSinkOptions) {
    this.name = name;
    this.path = path;
    this.checkpoint = new CheckpointFile(checkpointFile);
  }

  async open(): Promise<BlockPosition | undefined> {
    await this.close();
    const stored = this.checkpoint.read();
    const folder = dirname(this.path);
    const firstNew = mkdirSync(folder, { recursive: true });
    this.file = openSync(this.path, 'a+');
    const size = fstatSync(this.file).size;
    if (size === 0) flushFolders(folder, firstNew);
    if (stored?.bytes !== undefined && size < stored.bytes) {
      throw new SinkError(
        `${this.path} is shorter than after the last write of sink ${this.name} (${size} of ${stored.bytes} bytes); restore the file, or delete ` +
          `the file and ${this.checkpoint.path} to write everything again from the first block`,
      );
    }
    const tail = readTail(this.file, this.path, { from: stored?.bytes, size });
    if (tail.end < size) ftruncateSync(this.file, tail.end);
    this.bytes = tail.end;
    this.last = tail.record ?? lastRecordBefore(this.file, tail.end);
    const checkpoint = tail.checkpoint ?? stored;
    this.remembered = checkpoint?.number ?? -1;
    return checkpoint && positionOf(checkpoint);
  }

  async write(blocks: readonly BlockRecords[]): Promise<void> {
    const newest = blocks.at(-1);
    if (this.file === undefined || newest === undefined) return;
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    let text = '';
    for (const block of blocks) {
      text += recordLines(block, this.last);
      const last = block.records.length - 1;
      if (last >= 0) this.last = { seq: block.seq, index: itemAt(block.records, last).index ?? last };
    }
    if (text === '' && newest.number - this.remembered < EMPTY_BLOCKS_MAX) return;
    const bytes = Buffer.from(text);
    writeFileSync(this.file, bytes);
    this.bytes += bytes.length;
    this.remembered = newest.number;
    this.unflushed = { ...positionOf(newest), bytes: this.bytes };
    const wait = this.flushedAt + FLUSH_MS - performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flushLate(), wait);
  }

  /**
   * Flushes and closes the file.
   * @throws the error of the flush. The next start then writes all lines after the checkpoint again.
   */
  async close(): Promise<void> {
    const { file } = this;
    try {
      this.flush();
    } finally {
      if (file !== undefined) closeSync(file);
      this.file = undefined;
    }
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { unflushed, file } = this;
    this.unflushed = undefined;
    if (file === undefined || unflushed === undefined) return;
    fdatasyncSync(file);
    this.checkpoint.write(unflushed);
    this.flushedAt = performance.now();
  }

  /** Flushes {@link FLUSH_MS} after the previous flush. If the flush fails, the next write throws the error. */
  private flushLate(): void {
    try {
      this.flush();
    } catch (error) {
      this.failure = error;
    }
  }
}

interface Line {
  readonly seq: number;
  readonly index: number;
  readonly count: number;
  /** True in the last line of a block, if other records of the block are omitted from this file. */
  readonly end?: boolean;
  readonly blockNum: number;
  readonly blockId: string;
  /** Height of the log entry. Set only in a stream that reports reorgs. */
  readonly entryNum?: number;
  /** Block id of the log entry. Set only in a stream that reports reorgs. */
  readonly entryId?: string;
}

interface Tail {
  /** End offset of the last complete block, in bytes. */
  end: number;
  checkpoint: StoredCheckpoint | undefined;
  record: RecordPosition | undefined;
}

interface TailRange {
  /** End offset of a complete block that was flushed, in bytes; undefined if no such block is known. */
  readonly from: number | undefined;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * Reads the lines after the flushed part of the file. Ignores an unterminated last line. If a power failure left zeros
 * in a line, ignores this line and all bytes after it.
 */
function readTail(file: number, path: string, { from: flushed, size }: TailRange): Tail {
  const from = flushed ?? 0;
  const tail: Tail = { end: from, checkpoint: undefined, record: undefined };
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let at = from;
  for (let position = from; position < size; ) {
    const read = readSync(file, chunk, 0, CHUNK_BYTES, position);
    if (read === 0) break;
    position += read;
    let text = Buffer.concat([rest, chunk.subarray(0, read)]);
    for (let newline = text.indexOf(10); newline >= 0; newline = text.indexOf(10)) {
      const bytes = text.subarray(0, newline);
      if (hasUnwrittenBytes(bytes, flushed === undefined ? at : undefined)) return tail;
      const line = parseLine(bytes, path, at);
      at += newline + 1;
      text = text.subarray(newline + 1);
      if (line.index !== line.count - 1 && line.end !== true) continue;
      tail.end = at;
      const { seq, entryNum: number = line.blockNum, entryId: id = line.blockId } = line;
      tail.checkpoint = { seq, number, id };
      tail.record = { seq: line.seq, index: line.index };
    }
    rest = text;
  }
  return tail;
}

/** Disks and file systems write multiples of this size, in bytes. */
const SECTOR_BYTES = 512;

/**
 * Returns true if a line has zeros because the disk did not receive all bytes before a power failure. JSON has no zero
 * bytes.
 * @param at offset of the line in the file, if the file may belong to another program. Each run of zeros must then
 * consist of whole sectors. If undefined, any zero counts
 */
function hasUnwrittenBytes(line: Buffer, at: number | undefined): boolean {
  let start = line.indexOf(0);
  if (start < 0 || at === undefined) return start >= 0;
  while (start >= 0) {
    let end = start;
    while (line[end] === 0) end++;
    if ((at + start) % SECTOR_BYTES !== 0 || (at + end) % SECTOR_BYTES !== 0) return false;
    start = line.indexOf(0, end);
  }
  return true;
}

function parseLine(bytes: Buffer, path: string, at: number): Line {
  try {
    const line = JSON.parse(bytes.toString()) as Line;
    if (Number.isSafeInteger(line.seq) && Number.isSafeInteger(line.index) && Number.isSafeInteger(line.count)) {
      return line;
    }
  } catch (cause) {
    throw foreign(path, at, cause);
  }
  throw foreign(path, at, undefined);
}

function foreign(path: string, at: number, cause: unknown): SinkError {
  return new SinkError(`${path} has a malformed line at byte ${at}; move the file away to write everything again`, {
    cause,
  });
}

/** Returns the position of the record in the line that ends at byte offset `end`; undefined if `end` is 0. */
function lastRecordBefore(file: number, end: number): RecordPosition | undefined {
  if (end === 0) return undefined;
  for (let bytes = CHUNK_BYTES; ; bytes *= 4) {
    const length = Math.min(bytes, end);
    const text = Buffer.alloc(length);
    readSync(file, text, 0, length, end - length);
    const start = text.lastIndexOf(10, length - 2) + 1;
    if (start === 0 && length < end) continue;
    const { seq, index } = JSON.parse(text.subarray(start, length - 1).toString()) as Line;
    return { seq, index };
  }
}
