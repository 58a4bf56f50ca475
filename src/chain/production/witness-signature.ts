import { equalBytes } from '../../primitives/bytes.js';
import { type EncodedBlock, headerHash } from '../../state-transition/block/encoded-block.js';
import { ChainError, unchecked } from '../../state-transition/errors.js';
import type { ChainRules } from '../../state-transition/state/chain-rules.js';
import { witnessKeyAddress } from '../../state-transition/state/permissions.js';
import type { State } from '../../state-transition/state/state.js';
import { signerBy } from '../../state-transition/transactions/recover-signer.js';

/**
 * Returns true if the witness's key signed the header.
 * Reference: BlockCapsule.validateSignature.
 * @throws {ChainError} the signature is too short or malformed, or the witness has no account although ALLOW_MULTI_SIGN
 * is on
 */
export function isSignedByWitness(state: State, { witnessSignature, raw, witness }: EncodedBlock): boolean {
  requireBytes(witnessSignature);
  const signer = recover(state.rules, headerHash(raw), witnessSignature);
  const account = state.account(witness);
  if (!state.properties.isOn('ALLOW_MULTI_SIGN')) return equalBytes(signer, raw.witnessAddress);
  if (account === undefined) throw unchecked('NullPointerException');
  return equalBytes(signer, witnessKeyAddress(account));
}

/**
 * Throws Java's error for a signature that is too short. Java reads r, s and the recovery byte one after the other,
 * each with its own error.
 */
function requireBytes(signature: Uint8Array): void {
  const { length } = signature;
  for (const end of [32, 64]) {
    if (length < end) throw unchecked('IndexOutOfBoundsException', `End index: ${end} >= ${length}`);
  }
  if (length < 65) throw unchecked('ArrayIndexOutOfBoundsException', `Index 64 out of bounds for length ${length}`);
}

function recover(rules: ChainRules, hash: Uint8Array, signature: Uint8Array): Uint8Array {
  try {
    return signerBy(rules, [hash, signature]);
  } catch (error) {
    if (error instanceof ChainError && error.exception === 'SignatureException') {
      throw new ChainError('ValidateSignatureException', error.text);
    }
    throw error;
  }
}
