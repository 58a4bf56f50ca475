/** A broken invariant. */
export class SimFailure extends Error {
  /** Identifies failures of the same cause. */
  readonly kind: string;
  readonly details: string;

  constructor(kind: string, details: string) {
    super(`${kind}: ${details}`);
    this.kind = kind;
    this.details = details;
  }
}
