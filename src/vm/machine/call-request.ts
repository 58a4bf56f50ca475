export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CALLTOKEN';

/**
 * Operands of a call. Memory offsets and sizes are the low 32 bits of the stack word as a signed int, as in Java.
 * Reference: MessageCall.
 */
export interface CallRequest {
  readonly kind: CallKind;
  /** Energy that the callee gets, including the stipend. The caller has paid for all of it except the stipend. */
  readonly energy: number;
  /**
   * Callee as a 256-bit stack word. For a precompile, the whole word must equal its address. For an account, the last
   * 20 bytes are its address.
   */
  readonly address: bigint;
  readonly value: bigint;
  readonly tokenId: bigint;
  /** True for CALLTOKEN after the multi-sign proposal. The call then transfers a token, even if the token id is 0. */
  readonly isTokenMessage: boolean;
  readonly inOffset: number;
  readonly inSize: number;
  readonly outOffset: number;
  readonly outSize: number;
}
