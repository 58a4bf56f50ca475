export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN';

/** Operands of a call. Memory offsets are the low 32 bits of the word, as in Java's int. Reference: MessageCall. */
export interface CallRequest {
  readonly kind: CallKind;
  /** Energy of the call, stipend included. The caller already paid it, except for the stipend. */
  readonly energy: number;
  /** The whole word. All its bits identify a precompile, its last 20 bytes an account. */
  readonly address: bigint;
  readonly value: bigint;
  readonly tokenId: bigint;
  /** True for CALLTOKEN since multi-sign: the call transfers a token, even if its id is 0. */
  readonly isTokenMessage: boolean;
  readonly inOffset: number;
  readonly inSize: number;
  readonly outOffset: number;
  readonly outSize: number;
}
