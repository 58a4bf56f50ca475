/** Thrown if an invariant is broken. */
export class SimFailure extends Error {
  /** Identifier that failures of the same cause have in common. */
  readonly kind: string;
  readonly details: string;

  constructor(kind: string, details: string) {
    super(`${kind}: ${details}`);
    this.kind = kind;
    this.details = details;
  }
}
