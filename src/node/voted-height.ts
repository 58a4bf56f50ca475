import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files/replace-file.js';

/** The reference keeps the number in its common store, under the key `LATEST_PBFT_BLOCK_NUM`. */
const FILE = 'pbft.json';
const BYTES = 8;

/**
 * Height of the newest block that enough witnesses voted for, 0 for none; all threads see it.
 * Reference: CommonDataBase.
 */
export class VotedHeight {
  readonly buffer: SharedArrayBuffer;
  private readonly cell: BigInt64Array;
  /** The write that runs, of the height that it began with. */
  private writing: Promise<void> | undefined;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.buffer = buffer;
    this.cell = new BigInt64Array(buffer);
  }

  /**
   * What an earlier run stored; 0 when there is no file, or none that can be read: votes make it good within a block.
   */
  static read(dataDir: string): VotedHeight {
    const height = new VotedHeight();
    try {
      const { latest } = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as { latest?: unknown };
      if (typeof latest === 'number' && Number.isSafeInteger(latest)) height.raise(latest);
    } catch {
      return height;
    }
    return height;
  }

  get number(): number {
    return Number(Atomics.load(this.cell, 0));
  }

  /** A lower one than before changes nothing. */
  raise(number: number): void {
    if (number > this.number) Atomics.store(this.cell, 0, BigInt(number));
  }

  /**
   * Stores it while the thread goes on: a process that is killed finds it again; a machine that falls may find an older
   * one.
   */
  keep(dataDir: string): Promise<void> {
    this.writing ??= this.writeNewest(dataDir).finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  /** One file at a time, until it has the newest height. */
  private async writeNewest(dataDir: string): Promise<void> {
    const path = join(dataDir, FILE);
    let written = 0;
    while (written < this.number) {
      const { number } = this;
      await writeFile(`${path}.new`, text(number));
      await rename(`${path}.new`, path);
      written = number;
    }
  }

  /** Stores it for good, at the end. */
  async write(dataDir: string): Promise<void> {
    await this.writing;
    if (this.number > 0) replaceFile(join(dataDir, FILE), text(this.number));
  }
}

function text(number: number): string {
  return JSON.stringify({ latest: number });
}
