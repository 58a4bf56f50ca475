import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Figure {
  readonly value: number;
  readonly unit: string;
  /**
   * To a baseline of the same run, which says more than the value: machines differ, and the same one from hour to hour.
   */
  readonly ratio?: number;
}

/** Whatever differs by less is noise. */
const DIGITS = 3;

/** Results of a run by name. */
export class Figures {
  private readonly figures: Record<string, Figure> = {};

  note(name: string, value: number, unit: string, ratio?: number): void {
    this.figures[name] = { value: rounded(value), unit, ...(ratio === undefined ? {} : { ratio: rounded(ratio) }) };
  }

  /**
   * Appends the run to `test/bench/history.ndjson`, so that a later change is seen.
   * @param baseline B: recoveries of a key per second of one thread
   */
  keep(baseline: number): void {
    const run = {
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

const HISTORY = fileURLToPath(new URL('./history.ndjson', import.meta.url));

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** With a `+` where the checkout differs from it. */
function commit(): string {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', 'src') === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
