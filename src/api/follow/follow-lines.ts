/**
 * Messages between a follower (a client that follows the chain) and a node. Each is one line of JSON. Bytes are hex,
 * addresses are Base58Check.
 */

/** Request of a follower. It is the only message that a follower sends. */
export interface FollowRequest {
  /** Number of past headers that the node sends first, in 0..100. */
  readonly last?: number;
  /** Contracts whose events the node sends. An empty list means all contracts. */
  readonly contracts?: readonly string[];
  /**
   * Cursors of the newest header and of the newest event that the follower has received. The stream resumes after them.
   */
  readonly after?: { readonly header?: string; readonly event?: string };
}

/** A witness that may sign blocks. */
export interface ActiveWitness {
  readonly address: string;
  /** Address of the key with which the witness signs blocks. */
  readonly signer: string;
}

/**
 * Current witnesses. This is the first message of the node. If the witnesses change after a block, the node sends the
 * message again before the header of that block.
 */
interface WitnessesLine {
  readonly type: 'witnesses';
  readonly genesis: string;
  readonly witnesses: readonly ActiveWitness[];
}

/** A block header that was applied or reverted. */
export interface HeaderLine {
  readonly type: 'header';
  readonly kind: 'APPLIED' | 'REVERTED';
  /** Cursor of the header; undefined for the past headers that `FollowRequest.last` requests. */
  readonly cursor?: string;
  /** Encoded protobuf message `BlockHeader.raw`, as hex. */
  readonly raw: string;
  readonly signature: string;
}

/** A contract log in a solidified block. */
export interface EventLine {
  readonly type: 'event';
  readonly cursor: string;
  readonly block: string;
  readonly transaction: string;
  /** Index of the log among the logs of its transaction. */
  readonly index: number;
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Last message of a stream, with the reason for its end. */
export interface ErrorLine {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
}

export type FollowLine = WitnessesLine | HeaderLine | EventLine | ErrorLine;
