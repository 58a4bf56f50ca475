/** Messages between a follower and a node, one line of JSON each. Bytes are hex, addresses Base58Check. */

/** The first and only message of a follower. */
export interface FollowRequest {
  /** Number of past headers to send first, 0 to 100. */
  readonly last?: number;
  /** Contracts whose events to send. Empty: all contracts. */
  readonly contracts?: readonly string[];
  /** Cursors of the newest received header and event, to resume from. */
  readonly after?: { readonly header?: string; readonly event?: string };
}

/** A witness that may sign blocks. */
export interface ActiveWitness {
  readonly address: string;
  /** Address of the witness's signing key. */
  readonly signer: string;
}

/** Current witnesses. Sent first, and before the header of each block that changes them. */
interface WitnessesLine {
  readonly type: 'witnesses';
  readonly genesis: string;
  readonly witnesses: readonly ActiveWitness[];
}

/** A block header that was applied or reverted. */
export interface HeaderLine {
  readonly type: 'header';
  readonly kind: 'APPLIED' | 'REVERTED';
  /** Absent for past headers. */
  readonly cursor?: string;
  /** Encoded message BlockHeader.raw, hex. */
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

/** The last message: the reason for the end of the stream. */
export interface ErrorLine {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
}

export type FollowLine = WitnessesLine | HeaderLine | EventLine | ErrorLine;
