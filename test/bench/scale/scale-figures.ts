import type { Figures, NamedFigures } from '../figures.js';

/** Largest permitted ratio of a time on a larger state to the same time on the first size of the run. */
const RATIO_MAX = 1.3;

interface Measured {
  readonly value: number;
  readonly unit: string;
}

/**
 * Figures of a state of one size. `compare` adds a time, and the ratio of this time to that of the first size of the
 * run. The ratio shows the effect of the size.
 */
export class ScaleFigures {
  private readonly accounts: number;
  private readonly figures: NamedFigures;
  private readonly base: ScaleFigures | undefined;
  private readonly compared = new Map<string, Measured>();

  constructor(accounts: number, figures: Figures, base?: ScaleFigures) {
    this.accounts = accounts;
    this.figures = figures.named(`scale, ${accounts} accounts`);
    this.base = base;
  }

  /** @param ratio ratio to a goal or to a baseline of the same run */
  note(name: string, value: number, unit: string, ratio?: number): void {
    this.figures.note(name, value, unit, ratio);
  }

  compare(name: string, value: number, unit: string): void {
    this.compared.set(name, { value, unit });
    const base = this.base?.compared.get(name);
    this.note(name, value, unit, base === undefined ? undefined : value / base.value);
  }

  /** Prints the compared figures next to those of the first size. */
  printRatios(): void {
    if (this.base === undefined) return;
    console.log(`   ${this.accounts} accounts against ${this.base.accounts} (at most ${RATIO_MAX} ×):`);
    for (const [name, { value, unit }] of this.compared) {
      const base = this.base.compared.get(name);
      if (base === undefined) continue;
      const ratio = value / base.value;
      const above = ratio > RATIO_MAX ? ', above the limit' : '';
      console.log(
        `      ${name}: ${value.toFixed(2)} and ${base.value.toFixed(2)} ${unit}, ${ratio.toFixed(2)} ×${above}`,
      );
    }
  }
}
