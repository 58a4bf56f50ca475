import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Duration in ms for which a passed full check is valid. If the node does not stop cleanly, the check becomes invalid
 * earlier.
 */
const FRESH_MS = 24 * 60 * 60 * 1000;

/**
 * Content of `<data>/checked`: start time of the last full check that passed, and whether the folder was closed cleanly
 * since.
 */
interface Stored {
  readonly checkedAt: number;
  readonly isClosed: boolean;
}

/**
 * The file `<data>/checked`, which avoids a full check of a large folder at each start. If the file is missing or
 * invalid, a check is due.
 */
export class CheckRecord {
  private readonly path: string;
  private readonly closing = new AbortController();
  private checkedAt = 0;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'checked');
  }

  /** Marks the folder as in use until {@link close}. @returns true if a check is due */
  begin(now = Date.now()): boolean {
    const stored = this.read();
    const age = now - (stored?.checkedAt ?? 0);
    const isDue = stored === undefined || !stored.isClosed || age < 0 || age >= FRESH_MS;
    this.checkedAt = isDue ? 0 : stored.checkedAt;
    if (isDue) rmSync(this.path, { force: true });
    else this.write(false);
    return isDue;
  }

  /** Stores that a full check passed. @param startMs start time of the check, in ms since 1970 */
  passed(startMs: number): void {
    this.checkedAt = startMs;
    this.write(false);
  }

  /** Signal that aborts a running check when the folder is closed. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  /** Marks the folder as closed cleanly. */
  close(): void {
    this.closing.abort();
    if (this.checkedAt > 0) this.write(true);
  }

  private write(isClosed: boolean): void {
    writeFileSync(`${this.path}.new`, JSON.stringify({ checkedAt: this.checkedAt, isClosed } satisfies Stored), {
      flush: true,
    });
    renameSync(`${this.path}.new`, this.path);
  }

  private read(): Stored | undefined {
    try {
      const { checkedAt, isClosed } = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<Stored>;
      return typeof checkedAt === 'number' && typeof isClosed === 'boolean' ? { checkedAt, isClosed } : undefined;
    } catch {
      return undefined;
    }
  }
}
