import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BlockPosition, positionOf } from '../../follow/block-position.js';
import type { BlockRecords } from '../../records/event-record.js';
import { recordLines } from '../../records/record-line.js';
import { CheckpointFile } from '../checkpoint-file.js';
import type { Sink } from '../sink.js';

interface StdoutSinkOptions {
  readonly name: string;
  readonly placeFile: string;
  /** File descriptor; another than 1 in tests. */
  readonly descriptor?: number;
}

/** ms between two notes: each is flushed to the disk, which the log's and the state's own flushes wait for. */
const NOTE_MS = 200;
/** ms until a full pipe is tried again. */
const FULL_PIPE_MS = 5;

/**
 * Writes records to standard output. Nobody can ask a pipe what has arrived: a process that is killed between the write
 * and the note of it writes those blocks again, those of the last {@link NOTE_MS}, and the reader tells them by
 * `seq` and `index`.
 */
export class StdoutSink implements Sink {
  readonly name: string;
  readonly batch = { records: 500, bytes: 1024 * 1024 };
  private readonly place: CheckpointFile;
  private readonly descriptor: number;
  private unnoted: BlockPosition | undefined;
  private notedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor({ name, placeFile, descriptor = 1 }: StdoutSinkOptions) {
    this.name = name;
    this.place = new CheckpointFile(placeFile);
    this.descriptor = descriptor;
  }

  async open(): Promise<BlockPosition | undefined> {
    this.note();
    return this.place.read();
  }

  async write(blocks: readonly BlockRecords[]): Promise<void> {
    for (const block of blocks) {
      if (block.records.length === 0) continue;
      await this.put(Buffer.from(recordLines(block)));
      this.unnoted = positionOf(block);
    }
    const wait = this.notedAt + NOTE_MS - performance.now();
    if (wait <= 0) this.note();
    else this.timer ??= setTimeout(() => this.noteLate(), wait);
  }

  async close(): Promise<void> {
    this.note();
  }

  private note(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.unnoted === undefined) return;
    this.place.write(this.unnoted);
    this.unnoted = undefined;
    this.notedAt = performance.now();
  }

  /** What cannot be noted now is noted with the next block, which meets the error. */
  private noteLate(): void {
    this.timer = undefined;
    try {
      this.note();
    } catch {
      this.notedAt = 0;
    }
  }

  /** Directly and not through `process.stdout`, whose data waits in memory and is lost with the process. */
  private async put(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.descriptor, bytes, at);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        await sleep(FULL_PIPE_MS);
      }
    }
  }
}
