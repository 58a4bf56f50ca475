import { ProtobufError } from '../codec/reader.js';
import { TronError } from '../primitives/errors.js';
import { ChainError } from '../state-transition/errors.js';

/**
 * Reason of a rejection. It selects the disconnect reason. Reference: P2pException.TypeEnum of java-tron, and
 * P2pException.TypeEnum of TRON's Java library libp2p.
 */
export type RejectReason =
  | 'EMPTY_MESSAGE'
  | 'BIG_MESSAGE'
  | 'NO_SUCH_MESSAGE'
  | 'MESSAGE_WITH_WRONG_LENGTH'
  | 'PARSE_MESSAGE_FAILED'
  | 'CORRUPTED_FRAME'
  | 'BAD_MESSAGE'
  | 'BAD_TRX'
  | 'TRX_EXE_FAILED'
  | 'BAD_BLOCK'
  | 'BLOCK_SIGN_ERROR'
  | 'BLOCK_MERKLE_ERROR'
  | 'PROTOBUF_ERROR'
  | 'SYNC_FAILED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CLOCK_AHEAD'
  | 'HARD_FORKED'
  | 'DB_ITEM_NOT_FOUND';

/** An invalid message of a peer, or a request that cannot be served. */
export class P2pError extends TronError<RejectReason> {}

/**
 * Returns the rejection for an error caused by peer data; undefined for an internal error.
 * @param otherwise reason if the error itself has no rejection reason
 */
export function rejectReasonIn(error: unknown, otherwise: RejectReason): P2pError | undefined {
  if (error instanceof P2pError) return error;
  if (error instanceof ChainError || error instanceof ProtobufError)
    return new P2pError(otherwise, error.message, { cause: error });
  return undefined;
}
