/**
 * Messages between a follower (a client that follows the chain) and a node. Each is one line of JSON. Bytes are hex,
 * addresses are Base58Check.
 */

/** Request of a follower. It is its first and only message. */
export interface FollowRequest {
  /** Number of past headers that the node sends first, from 0 to 100. */
  readonly last?: number;
  /** Contracts whose events the node sends. Empty: all contracts. */
  readonly contracts?: readonly string[];
  /** Cursors of the newest header and event that the follower has received. The stream resumes after them. */
  readonly after?: { readonly header?: string; readonly event?: string };
}

/** A witness that may sign blocks. */
export interface ActiveWitness {
  readonly address: string;
  /** Address that belongs to the key with which the witness signs blocks. */
  readonly signer: string;
}

/** Current witnesses. The node sends them first, and before the header of each block that changes them. */
interface WitnessesLine {
  readonly type: 'witnesses';
  readonly genesis: string;
  readonly witnesses: readonly ActiveWitness[];
}

/** A block header that was applied or reverted. */
export interface HeaderLine {
  readonly type: 'header';
  readonly kind: 'APPLIED' | 'REVERTED';
  /** Cursor of the header; absent for past headers. */
  readonly cursor?: string;
  /** Encoded message `BlockHeader.raw`, as hex. */
  readonly raw: string;
  readonly signature: string;
}

/** A contract log in a solidified block. */
export interface EventLine {
  readonly type: 'event';
  readonly cursor: string;
  readonly block: string;
  readonly transaction: string;
  /** Index of the log in its transaction. */
  readonly index: number;
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Last message of a stream: the reason for its end. */
export interface ErrorLine {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
}

export type FollowLine = WitnessesLine | HeaderLine | EventLine | ErrorLine;
