import { concatBytes, toUnsigned } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';

/** Returns the call of a token contract that returns the balance of an account. */
export function balanceCall(account: Uint8Array): { readonly signature: string; readonly parameter: Uint8Array } {
  const word = concatBytes(new Uint8Array(WORD_BYTES - 20), account.subarray(1));
  return { signature: 'balanceOf(address)', parameter: word };
}

/**
 * Decodes the output of {@link balanceCall}. Returns undefined if the call failed, or did not return one word of 32
 * bytes.
 */
export function decodeBalance(output: Uint8Array | undefined): bigint | undefined {
  return output?.length === WORD_BYTES ? toUnsigned(output) : undefined;
}
