/** Time between two updates of the progress line on a terminal, in ms. */
const REDRAW_MS = 200;
/** Time between two progress lines if the output is no terminal, in ms. */
const LINE_MS = 10_000;
/** Time before the first rate is shown, in ms. A rate over a shorter time would be inaccurate. */
const RATE_MS_MIN = 100;
/** Width of a terminal of unknown size, in characters. */
const COLUMNS = 80;

/** Stream for progress lines. If the stream is a terminal, `isTTY` is true and `columns` is its width. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface ProgressOptions {
  readonly out?: Output;
  readonly isQuiet?: boolean;
  /** Current time in ms. */
  readonly now?: () => number;
}

interface Step {
  readonly unit: 'blocks' | 'rows' | 'bytes';
  /** Total amount of the step, in its unit; undefined if unknown. */
  readonly total?: number | undefined;
}

/**
 * Prints the progress of a long command on standard error. On a terminal, rewrites one line; otherwise prints a line
 * every ten seconds. Each line has the amount done and the rate. If the total is known, it also has the remaining time.
 */
export class Progress {
  private readonly out: Output;
  private readonly isQuiet: boolean;
  private readonly now: () => number;
  private name = '';
  private step: Step = { unit: 'rows' };
  private done = 0;
  private started = 0;
  private printed: number;
  private isLineOpen = false;

  constructor({ out = process.stderr, isQuiet = false, now = Date.now }: ProgressOptions = {}) {
    this.out = out;
    this.isQuiet = isQuiet;
    this.now = now;
    this.printed = now();
  }

  /** Starts a step with the amount 0. */
  begin(name: string, step: Step): void {
    this.name = name;
    this.step = step;
    this.done = 0;
    this.started = this.now();
  }

  /** Increases the amount that is done, in the unit of the step. */
  add(amount: number): void {
    this.set(this.done + amount);
  }

  /** Sets the amount that is done since the start of the step, in the unit of the step. */
  set(done: number): void {
    this.done = done;
    if (this.isQuiet) return;
    const now = this.now();
    if (now - this.printed < (this.out.isTTY === true ? REDRAW_MS : LINE_MS)) return;
    this.printed = now;
    if (this.out.isTTY !== true) this.out.write(`${this.line(now)}\n`);
    else {
      // A terminal of unknown size has zero columns.
      const width = this.out.columns === undefined || this.out.columns === 0 ? COLUMNS : this.out.columns;
      this.out.write(`\r\u001b[K${this.line(now).slice(0, width - 1)}`);
      this.isLineOpen = true;
    }
  }

  /** Removes the progress line from the terminal. Must be called before other output. */
  end(): void {
    if (this.isLineOpen) this.out.write('\r\u001b[K');
    this.isLineOpen = false;
  }

  private line(now: number): string {
    const { unit, total } = this.step;
    const seconds = (now - this.started) / 1000;
    const perSecond = this.done / seconds;
    const parts = [`${this.name}: ${amountText(this.done, unit, total)}`];
    if (seconds * 1000 >= RATE_MS_MIN) parts.push(`${amountText(perSecond, unit)}/s`);
    if (total !== undefined && perSecond > 0)
      parts.push(`${durationText(Math.max(0, total - this.done) / perSecond)} left`);
    return parts.join(', ');
  }
}

/** Returns an amount with its unit, such as `1,200 of 5,000 blocks` or `3.5 MB`. */
function amountText(amount: number, unit: Step['unit'], total?: number): string {
  const number = unit === 'bytes' ? megabytes : whole;
  const of = total === undefined ? '' : ` of ${number(total)}`;
  return `${number(amount)}${of} ${unit === 'bytes' ? 'MB' : unit}`;
}

/** Returns a duration in the two largest units, such as `2 h 5 min`. @param seconds duration, may have a fraction */
export function durationText(seconds: number): string {
  const all = Math.round(seconds);
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${all % 60} s` : `${all} s`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/** Returns a number without a fraction, with commas between the thousands. */
export function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
