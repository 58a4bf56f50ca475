/** Time between two progress lines, in ms. */
const PROGRESS_MS = 2000;
/** Number of rows, or of KiB, after which the clock is read again. */
const ROWS = 4096;

/** Counts rows and bytes of a step and prints a progress line at intervals. */
export class ProgressMeter {
  private readonly print: (line: string) => void;
  private step = '';
  private rows = 0;
  private bytes = 0;
  private bytesTotal: number | undefined;
  private started = 0;
  private printed = 0;
  private unseen = 0;

  constructor(print: (line: string) => void) {
    this.print = print;
  }

  begin(step: string, bytesTotal?: number): void {
    this.step = step;
    this.bytesTotal = bytesTotal;
    this.rows = 0;
    this.bytes = 0;
    this.started = Date.now();
  }

  add(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
    this.unseen += rows + (bytes >> 10);
    if (this.unseen < ROWS) return;
    this.unseen = 0;
    if (Date.now() - this.printed >= PROGRESS_MS) this.line();
  }

  private line(): void {
    this.printed = Date.now();
    const seconds = Math.max(0.001, (this.printed - this.started) / 1000);
    const parts = [`${this.step}: ${this.rows} rows, ${megabytes(this.bytes)}`];
    if (this.bytesTotal !== undefined) parts[0] += ` of some ${megabytes(this.bytesTotal)}`;
    parts.push(`${Math.round(this.rows / seconds)} rows/s`);
    if (this.bytesTotal !== undefined && this.bytes > 0) {
      const left = Math.max(0, (this.bytesTotal - this.bytes) * (seconds / this.bytes));
      parts.push(`${Math.round(left)} s left`);
    }
    this.print(parts.join(', '));
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
