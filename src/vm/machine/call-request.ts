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
   * Callee as a 256-bit stack word. Precompiles are compared with the whole word. The address of an account is in the
   * last 20 bytes.
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
