/** One fault in a copy of the product. The measurement must fail with it. */
export interface Mutant {
  /** The fault, as a sentence. */
  readonly fault: string;
  /** File of the sources. */
  readonly file: string;
  /** Text that occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Mutants of measurements, by the name of the measurement. */
export type Mutants = Readonly<Record<string, readonly Mutant[]>>;
