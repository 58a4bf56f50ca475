/** Position of the last forwarded block, at which a sink resumes. */
export interface BlockPosition {
  /** Seq of the block's `applied` entry in the log from which the block was read. */
  readonly seq: number;
  readonly number: number;
  /** Block id in hex. */
  readonly id: string;
}

/** Returns the position of a block. */
export function positionOf({ seq, number, id }: BlockPosition): BlockPosition {
  return { seq, number, id };
}
