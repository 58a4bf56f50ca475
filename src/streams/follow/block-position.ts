/** A block that a sink has passed on: where it goes on. */
export interface BlockPlace {
  /** Seq of the block's `applied` entry in the log that it was read from. */
  readonly seq: number;
  readonly number: number;
  /** Hex. */
  readonly id: string;
}

/** Where a sink goes on that has passed the block on. */
export function placeOf({ seq, number, id }: BlockPlace): BlockPlace {
  return { seq, number, id };
}
