import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files/replace-file.js';

/**
 * File name in the data folder. java-tron stores the number in its store `common`, under the key
 * `LATEST_PBFT_BLOCK_NUM`.
 */
const FILE = 'pbft.json';
const BYTES = 8;

/**
 * Height of the newest block with a PBFT quorum; 0 if none exists. The number is in memory that all threads share.
 * Reference: CommonDataBase.
 */
export class VotedHeight {
  readonly buffer: SharedArrayBuffer;
  private readonly cell: BigInt64Array;
  /** Write to the file in progress; undefined if no write is in progress. */
  private writing: Promise<void> | undefined;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.buffer = buffer;
    this.cell = new BigInt64Array(buffer);
  }

  /**
   * Reads the stored height; 0 if the file is missing or malformed. If the height is too low, the votes on the next
   * block raise it.
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

  /** Sets a higher height. Ignores a lower one. */
  raise(number: number): void {
    if (number > this.number) Atomics.store(this.cell, 0, BigInt(number));
  }

  /**
   * Stores the height in the background. A kill of the process cannot damage the file. After a power failure, the file
   * may contain an older height.
   */
  keep(dataDir: string): Promise<void> {
    this.writing ??= this.writeNewest(dataDir).finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  /** Writes one file at a time until the newest height is stored. */
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

  /** Stores the height durably, at close. */
  async write(dataDir: string): Promise<void> {
    await this.writing;
    if (this.number > 0) replaceFile(join(dataDir, FILE), text(this.number));
  }
}

function text(number: number): string {
  return JSON.stringify({ latest: number });
}
