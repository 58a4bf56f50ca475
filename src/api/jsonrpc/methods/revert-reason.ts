import { decodeString } from '../../../encoding/abi/decode-event.js';
import { JavaError } from '../../../java-compat/java-error.js';
import { toHex } from '../../../primitives/bytes.js';
import { SELECTOR_BYTES, WORD_BYTES } from '../../../primitives/units.js';
import type { ApiRelease } from '../../releases/api-release.js';

/** Function selector of `Error(string)`. Solidity encodes a revert reason with it. */
const ERROR_SELECTOR = '08c379a0';
/** Maximum size of a revert reason that is decoded, in bytes. Reference: MAX_REVERT_REASON_PAYLOAD_BYTES */
const REASON_BYTES_MAX = 4_096;

/**
 * Returns the revert reason for an error text. If the reason cannot be decoded, release 4.8.2 and later return an empty
 * text. Reference: TronJsonRpcImpl.tryDecodeRevertReason.
 * @throws {JavaError} in releases before 4.8.2: the reason cannot be decoded
 */
export function shownReason(returned: Uint8Array, { showsRevertData }: ApiRelease): string {
  if (showsRevertData) {
    const reason = returned.length - SELECTOR_BYTES > REASON_BYTES_MAX ? '' : revertReason(returned);
    return reason === ': ' ? '' : reason;
  }
  const body = reasonBody(returned);
  return body === undefined ? '' : `: ${earlierReason(body)}`;
}

/** Returns a colon and the reason of `revert("…")`; an empty text if the output has no complete reason. */
export function revertReason(returned: Uint8Array): string {
  const body = reasonBody(returned);
  const reason = body && decodeString(body, true);
  return reason === undefined ? '' : `: ${reason}`;
}

/** Returns the output after the selector of `Error(string)`; undefined if it does not start with that selector. */
function reasonBody(returned: Uint8Array): Uint8Array | undefined {
  const isReason = returned.length > SELECTOR_BYTES && toHex(returned.subarray(0, SELECTOR_BYTES)) === ERROR_SELECTOR;
  return isReason ? returned.subarray(SELECTOR_BYTES) : undefined;
}

/**
 * Decodes a reason by the rules of release 4.7.2, which pad a truncated reason with zeros. Reference:
 * ContractEventParser.parseDataBytes.
 * @throws {JavaError} the reason cannot be decoded
 */
function earlierReason(body: Uint8Array): string {
  const reason = decodeString(body, false);
  if (reason !== undefined) return reason;
  // Java cannot copy a part of an array from a negative offset. In Java 8, this exception has no text.
  if (isNegativeInt(body)) throw new JavaError('java.lang.ArrayIndexOutOfBoundsException');
  throw new JavaError('java.lang.UnsupportedOperationException', 'unsupported type:string');
}

/** Returns true if the first word is a negative number that a Java int can store. */
function isNegativeInt(body: Uint8Array): boolean {
  if (body.length < WORD_BYTES) return false;
  const value = BigInt.asIntN(256, BigInt(`0x${toHex(body.subarray(0, WORD_BYTES))}`));
  return value < 0n && BigInt.asIntN(32, value) === value;
}
