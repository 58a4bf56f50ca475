/** Position of the last forwarded block. A sink resumes after this block. */
export interface BlockPosition {
  /** Seq of the block's `applied` entry. Logs in other data folders have another seq for the same block. */
  readonly seq: number;
  readonly number: number;
  /** Block id in hex. */
  readonly id: string;
}

/** Returns a copy that has only the fields of {@link BlockPosition}. */
export function positionOf({ seq, number, id }: BlockPosition): BlockPosition {
  return { seq, number, id };
}
