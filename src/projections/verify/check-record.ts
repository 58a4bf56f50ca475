import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A full check that found nothing counts for a day, as long as every stop since was in order. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** What `<data>/checked` says: when the newest full check began, and whether the folder was closed in order since. */
interface Stored {
  readonly checkedAt: number;
  readonly isClosed: boolean;
}

/**
 * The side file `<data>/checked`, by which a large folder is not read whole again at each start. One that is missing,
 * or no record, means that a check is due.
 */
export class CheckRecord {
  private readonly path: string;
  private readonly closing = new AbortController();
  private checkedAt = 0;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'checked');
  }

  /** Takes the folder into use: until {@link close} it counts as not closed. Answers whether a check is due. */
  begin(now = Date.now()): boolean {
    const stored = this.read();
    const age = now - (stored?.checkedAt ?? 0);
    const isDue = stored === undefined || !stored.isClosed || age < 0 || age >= FRESH_MS;
    this.checkedAt = isDue ? 0 : stored.checkedAt;
    if (isDue) rmSync(this.path, { force: true });
    else this.write(false);
    return isDue;
  }

  /** A full check that began at this time found nothing. */
  passed(begun: number): void {
    this.checkedAt = begun;
    this.write(false);
  }

  /** Aborted when the folder is closed: a check that still goes on ends. */
  get signal(): AbortSignal {
    return this.closing.signal;
  }

  /** The folder is closed, all of it on the disk. */
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
