export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN';

/** A call as its operands say; offsets of memory are what Java's int keeps of the word. Reference: MessageCall. */
export interface CallRequest {
  readonly kind: CallKind;
  /** Given to the call, stipend included; taken from the caller already, but for the stipend. */
  readonly energy: number;
  /** The whole word: a precompile is found by it, an account by its last 20 bytes. */
  readonly address: bigint;
  readonly value: bigint;
  readonly tokenId: bigint;
  /** CALLTOKEN since multi-sign: a token even where its id is 0. */
  readonly isTokenMessage: boolean;
  readonly inOffset: number;
  readonly inSize: number;
  readonly outOffset: number;
  readonly outSize: number;
}
