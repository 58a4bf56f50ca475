/** What a follower and a node say to each other: a line of JSON each. Bytes are hexadecimal, addresses Base58Check. */

/** The first and only line of a follower. */
export interface FollowRequest {
  /** Headers below the head to begin with, 0 to 100. */
  readonly last?: number;
  /** Contracts whose events are wanted; none: all. */
  readonly contracts?: readonly string[];
  /** Places to go on from: of the newest header and the newest event that came. */
  readonly after?: { readonly header?: string; readonly event?: string };
}

export interface ActiveWitness {
  readonly address: string;
  /** Address of the key that signs for it. */
  readonly signer: string;
}

/** First of all, and before the header of a block that changes the witnesses. */
interface WitnessesLine {
  readonly type: 'witnesses';
  readonly genesis: string;
  readonly witnesses: readonly ActiveWitness[];
}

export interface HeaderLine {
  readonly type: 'header';
  readonly kind: 'APPLIED' | 'REVERTED';
  /** Missing for headers of the past. */
  readonly cursor?: string;
  /** The message BlockHeader.raw. */
  readonly raw: string;
  readonly signature: string;
}

/** A log of a contract in a block that the node holds for irreversible. */
export interface EventLine {
  readonly type: 'event';
  readonly cursor: string;
  readonly block: string;
  readonly transaction: string;
  /** Place among the logs of the transaction. */
  readonly index: number;
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The last line: why nothing follows. */
export interface ErrorLine {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
}

export type FollowLine = WitnessesLine | HeaderLine | EventLine | ErrorLine;
