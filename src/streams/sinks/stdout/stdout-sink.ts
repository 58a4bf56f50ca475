import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BlockPosition, positionOf } from '../../follow/block-position.js';
import type { BlockRecords } from '../../records/event-record.js';
import { recordLines } from '../../records/record-line.js';
import { CheckpointFile } from '../checkpoint-file.js';
import type { Sink } from '../sink.js';

interface StdoutSinkOptions {
  readonly name: string;
  readonly checkpointFile: string;
  /** File descriptor of the output. It is 1, except in tests. */
  readonly descriptor?: number;
}

/** Interval of checkpoints in ms. Each checkpoint is flushed to disk, which delays the flushes of log and state. */
const NOTE_MS = 200;
/** Delay in ms before a write to a full pipe is tried again. */
const FULL_PIPE_MS = 5;

/**
 * Writes records to standard output. A pipe does not report which bytes were read. If the process is killed between a
 * write and its checkpoint, the next start writes the blocks of the last {@link NOTE_MS} again. Readers detect these
 * duplicates by `seq` and `index`.
 */
export class StdoutSink implements Sink {
  readonly name: string;
  readonly batch = { records: 500, bytes: 1024 * 1024 };
  private readonly checkpoint: CheckpointFile;
  private readonly descriptor: number;
  private unnoted: BlockPosition | undefined;
  private notedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor({ name, checkpointFile, descriptor = 1 }: StdoutSinkOptions) {
    this.name = name;
    this.checkpoint = new CheckpointFile(checkpointFile);
    this.descriptor = descriptor;
  }

  async open(): Promise<BlockPosition | undefined> {
    this.note();
    return this.checkpoint.read();
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
    this.checkpoint.write(this.unnoted);
    this.unnoted = undefined;
    this.notedAt = performance.now();
  }

  /**
   * Stores the checkpoint. After a failure, the next write of records tries again, and throws if the second attempt
   * fails.
   */
  private noteLate(): void {
    this.timer = undefined;
    try {
      this.note();
    } catch {
      this.notedAt = 0;
    }
  }

  /** Writes to the file descriptor. `process.stdout` would buffer data in the process, and a kill would lose it. */
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
