export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN';

/** Operands of a call. Memory offsets are the low 32 bits of the word, as in Java's int. Reference: MessageCall. */
export interface CallRequest {
  readonly kind: CallKind;
  /** Energy that the callee gets, including the stipend. The caller has paid for all of it except the stipend. */
  readonly energy: number;
  /**
   * Address of the callee as a 256-bit stack word. The whole word is compared with the addresses of precompiles. For
   * accounts, only the last 20 bytes are used.
   */
  readonly address: bigint;
  readonly value: bigint;
  readonly tokenId: bigint;
  /** True for CALLTOKEN since the multi-sign proposal: the call transfers a token, even if the token id is 0. */
  readonly isTokenMessage: boolean;
  readonly inOffset: number;
  readonly inSize: number;
  readonly outOffset: number;
  readonly outSize: number;
}
