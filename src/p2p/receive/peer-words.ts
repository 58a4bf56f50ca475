import { ProtobufError } from '../../codec/reader.js';
import { ChainError } from '../../vm/errors.js';
import { P2pError, type Refusal } from '../p2p-error.js';

/** What bytes of a peer led to, in the words of this side; undefined for an error of this program. */
export function refusalIn(error: unknown, otherwise: Refusal): P2pError | undefined {
  if (error instanceof P2pError) return error;
  if (error instanceof ChainError || error instanceof ProtobufError)
    return new P2pError(otherwise, error.message, { cause: error });
  return undefined;
}

/** Reads what a peer sent. @throws {P2pError} what the rules refuse, `PARSE_MESSAGE_FAILED` where they give no other reason */
export function reading<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusalIn(error, 'PARSE_MESSAGE_FAILED') ?? error;
  }
}
