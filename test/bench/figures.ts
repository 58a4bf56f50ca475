import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Figure {
  readonly value: number;
  readonly unit: string;
  /**
   * Ratio to a baseline of the same run. It is more reliable than the value, because the speed differs between machines
   * and changes over time.
   */
  readonly ratio?: number;
}

/** A line of `history.ndjson`. It contains the figures of one run. */
export interface HistoryLine {
  /** Time of the run in UTC, as ISO 8601 text. */
  readonly time: string;
  /** Hash of the commit, followed by `+` if the working tree had changes. */
  readonly commit: string;
  readonly machine: { readonly processor: string; readonly threads: number; readonly node: string };
  /** Baseline of the run: public keys recovered per second on one thread. */
  readonly recoveriesPerSecond: number;
  readonly figures: Readonly<Record<string, Figure>>;
}

export const HISTORY = fileURLToPath(new URL('./history.ndjson', import.meta.url));
/** Number of significant digits. Smaller differences are noise. */
const DIGITS = 3;

/** Figures of one measurement. */
export type NamedFigures = Pick<Figures, 'note'>;

/** Figures of a run, by name. */
export class Figures {
  private readonly figures: Record<string, Figure> = {};

  note(name: string, value: number, unit: string, ratio?: number): void {
    this.figures[name] = { value: rounded(value), unit, ...(ratio === undefined ? {} : { ratio: rounded(ratio) }) };
  }

  /** Returns the figures of one measurement. The name of each figure starts with the name of the measurement. */
  named(measurement: string): NamedFigures {
    return { note: (name, ...figure) => this.note(`${measurement}: ${name}`, ...figure) };
  }

  /**
   * Appends the figures to `test/bench/history.ndjson`, so that a later run shows changes of the speed.
   * @param baseline public keys recovered per second on one thread
   */
  keep(baseline: number): void {
    const run: HistoryLine = {
      time: new Date().toISOString(),
      commit: commit(),
      machine: {
        processor: cpus()[0]?.model.trim() ?? 'unknown',
        threads: availableParallelism(),
        node: process.version,
      },
      recoveriesPerSecond: Math.round(baseline),
      figures: this.figures,
    };
    appendFileSync(HISTORY, `${JSON.stringify(run)}\n`);
  }
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** Returns the hash of the commit, followed by `+` if the working tree has changes. */
function commit(): string {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', 'src') === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
