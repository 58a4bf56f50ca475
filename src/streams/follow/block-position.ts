/** A block that a sink has passed on: where it goes on. */
export interface BlockPosition {
  /** Seq of the block's `applied` entry in the log that it was read from. */
  readonly seq: number;
  readonly number: number;
  /** Hex. */
  readonly id: string;
}

/** Where a sink goes on that has passed the block on. */
export function positionOf({ seq, number, id }: BlockPosition): BlockPosition {
  return { seq, number, id };
}
