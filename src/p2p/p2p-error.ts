import { ProtobufError } from '../codec/reader.js';
import { TronError } from '../primitives/errors.js';
import { ChainError } from '../state-transition/errors.js';

/** Why a message is refused: it decides what the peer is told. Reference: P2pException.TypeEnum, of both layers. */
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

/** A message that a peer should not have sent, or that cannot be served. */
export class P2pError extends TronError<RejectReason> {}

/** What bytes of a peer led to, in the words of this side; undefined for an error of this program. */
export function rejectReasonIn(error: unknown, otherwise: RejectReason): P2pError | undefined {
  if (error instanceof P2pError) return error;
  if (error instanceof ChainError || error instanceof ProtobufError)
    return new P2pError(otherwise, error.message, { cause: error });
  return undefined;
}
