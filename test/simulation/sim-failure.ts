/** A promise of the network that was broken. */
export class SimFailure extends Error {
  /** The same for all failures of one kind. */
  readonly kind: string;
  readonly details: string;

  constructor(kind: string, details: string) {
    super(`${kind}: ${details}`);
    this.kind = kind;
    this.details = details;
  }
}
