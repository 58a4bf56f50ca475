import { sha256 } from '../../crypto/hash.js';
import { addressOfKey } from '../../crypto/key-address.js';
import { SIGNATURE_BYTES } from '../../crypto/secp256k1.js';
import { ADDRESS_BYTES, BARE_ADDRESS_BYTES } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { concatBytes, EMPTY_BYTES, equalBytes } from '../../primitives/bytes.js';
import { WORD_BYTES } from '../../primitives/units.js';
import { hasPassed } from '../../state-transition/consensus/fork-versions.js';
import { ChainError } from '../../state-transition/errors.js';
import { VERSION } from '../../state-transition/parameters/block-versions.js';
import { permissionById } from '../../state-transition/state/permissions.js';
import { hasValidScalars, recoverKey } from '../../state-transition/transactions/recover-key.js';
import { refusedAsTimeout } from '../../state-transition/vm-error.js';
import { at, bytesArray, outward, signatureArray, wordArray } from './java-arrays.js';
import {
  addressAt,
  booleanWord,
  FAILED,
  type Precompile,
  type PrecompileContext,
  safeInt,
  success,
  wordAt,
} from './precompile.js';

const SIGNATURE_ENERGY = 1500;

/** Returns the signer's address as a word, or no bytes for an invalid signature. Reference: ECRecover. */
export const ecRecover: Precompile = {
  energy: () => 3000,
  run(data, { machine }) {
    if (data.length < 96) return success(EMPTY_BYTES);
    const signature = concatBytes(wordAt(data, 2), wordAt(data, 3));
    const address = recover(wordAt(data, 0), signature, safeInt(data, 32), machine.state.rules.addressPrefix);
    if (address === undefined) return success(EMPTY_BYTES);
    const word = new Uint8Array(WORD_BYTES);
    word.set(address, 11);
    return success(word);
  },
};

/**
 * Compares the signers of up to 16 signatures with addresses. The output is a word. Its byte i (from the left) is 1 if
 * address i is the signer of signature i. Reference: BatchValidateSign.
 */
export const batchValidateSign: Precompile = {
  energy: (data) => signatureEnergy(data, BATCH_WORDS),
  run(data, context) {
    if (context.machine.rules.osaka && !isShaped(data, BATCH_WORDS)) return FAILED;
    try {
      return success(batch(data, context));
    } catch (error) {
      if (error instanceof RangeError) return success(new Uint8Array(WORD_BYTES));
      throw error;
    }
  },
};

const BATCH_MAX = 16;
/** Number of input words per signature of BatchValidateSign. */
const BATCH_WORDS = 6;

function batch(data: Uint8Array, { machine }: PrecompileContext): Uint8Array {
  const hash = at(data, 0);
  const signaturesAt = Math.floor(safeInt(at(data, 1)) / WORD_BYTES);
  const addressesAt = Math.floor(safeInt(at(data, 2)) / WORD_BYTES);
  const result = new Uint8Array(WORD_BYTES);
  const isCounted = machine.rules.selfDestructRestriction;
  if (isCounted && [signaturesAt, addressesAt].some((offset) => safeInt(at(data, offset)) > BATCH_MAX)) return result;
  const signatures = (isCounted ? signatureArray : bytesArray)(data, signaturesAt);
  const addresses = wordArray(data, addressesAt);
  const { count } = signatures;
  if (count === 0 || count > BATCH_MAX || count !== addresses.length) return result;
  for (let i = 0; i < count; i++) {
    const signer = signerOf(signatures.at(i), hash, machine.state.rules.addressPrefix);
    if (
      signer !== undefined &&
      signer.length >= 20 &&
      equalBytes(signer.subarray(-20), itemAt(addresses, i).subarray(12))
    ) {
      result[i] = 1;
    }
  }
  return result;
}

/**
 * Returns the word 1 if the weights of the signers reach the threshold of an account's permission, otherwise the word
 * 0. Reference: ValidateMultiSign.
 */
export const validateMultiSign: Precompile = {
  energy: (data) => signatureEnergy(data, MULTI_WORDS),
  run(data, context) {
    if (context.machine.rules.osaka && !isShaped(data, MULTI_WORDS)) return FAILED;
    return success(booleanWord(isSigned(data, context)));
  },
};

const MULTI_MAX = 5;
const MULTI_WORDS = 5;

function isSigned(data: Uint8Array, context: PrecompileContext): boolean {
  const { machine } = context;
  const { state } = machine;
  const word = (index: number) => outward(() => at(data, index));
  const owner = word(0);
  const permissionId = safeInt(word(1));
  const hash = signedHash(owner, permissionId, word(2), state.rules.addressPrefix);
  const signaturesAt = Math.floor(safeInt(word(3)) / WORD_BYTES);
  const isCounted = machine.rules.selfDestructRestriction;
  if (isCounted && safeInt(word(signaturesAt)) > MULTI_MAX) return false;
  const signatures = outward(() => (isCounted ? signatureArray : bytesArray)(data, signaturesAt));
  if (signatures.count === 0 || signatures.count > MULTI_MAX) return false;
  const account = machine.accounts.get(addressAt(context, owner));
  const permission = account === undefined ? undefined : permissionById(account, permissionId);
  if (permission === undefined) return false;
  let weight = 0n;
  const done: Uint8Array[] = [];
  for (let i = 0; i < signatures.count; i++) {
    const signature = signatures.at(i);
    const signer = signerOf(signature, hash, state.rules.addressPrefix);
    // For an invalid signature, java-tron fails because the address is missing, and the precompile returns 0.
    if (signer === undefined) return false;
    const entry = concatBytes(signer, signature);
    if (done.some((known) => equalBytes(known, signer))) {
      if (done.some((known) => equalBytes(known, entry))) continue;
      // The signer has already made another of the signatures. Since 4.7.1, java-tron reports a timeout in this case.
      if (hasPassed(state, VERSION.V4_7_1)) throw refusedAsTimeout('0x0a executing');
    }
    const key = permission.keys.find((candidate) => equalBytes(candidate.address, signer));
    if (key === undefined || key.weight === 0n) return false;
    weight += key.weight;
    done.push(entry, signer);
  }
  return weight >= permission.threshold;
}

/**
 * Returns the hash that the signers must sign: SHA-256 of an account's address, its permission id, and a word from
 * the calling contract.
 */
function signedHash(owner: Uint8Array, permissionId: number, content: Uint8Array, prefix: number): Uint8Array {
  const signed = Buffer.allocUnsafe(ADDRESS_BYTES + 4 + WORD_BYTES);
  signed[0] = prefix;
  signed.set(owner.subarray(-BARE_ADDRESS_BYTES), 1);
  signed.writeInt32BE(permissionId, ADDRESS_BYTES);
  signed.set(content, ADDRESS_BYTES + 4);
  return sha256(signed);
}

/** Number of input words before the signatures of ValidateMultiSign. */
const HEADER_WORDS = 5;

function signatureEnergy(data: Uint8Array, wordsEach: number): number {
  return Math.trunc((Math.floor(data.length / WORD_BYTES) - HEADER_WORDS) / wordsEach) * SIGNATURE_ENERGY;
}

/** Returns true if the input has a valid length for one or more signatures. Reference: isValidAbiEncoding. */
function isShaped(data: Uint8Array, wordsEach: number): boolean {
  const rest = data.length - HEADER_WORDS * WORD_BYTES;
  return data.length % WORD_BYTES === 0 && rest > 0 && rest % (wordsEach * WORD_BYTES) === 0;
}

/**
 * Recovers the signer's address. Reference: recoverAddrBySign.
 * @returns no bytes for a signature that is too short, undefined for an invalid signature
 */
function signerOf(signature: Uint8Array, hash: Uint8Array, prefix: number): Uint8Array | undefined {
  if (signature.length < SIGNATURE_BYTES) return EMPTY_BYTES;
  const byte = (itemAt(signature, 64) << 24) >> 24;
  const v = byte < 27 ? byte + 27 : byte;
  return recover(hash, signature.subarray(0, 64), v, prefix);
}

/**
 * Recovers the signer's address (21 bytes).
 * @param signature r and s, 64 bytes
 * @returns undefined for an invalid signature: v is not 27 or 28, r or s is not from 1 to the group order − 1, or no
 * point has x = r
 */
function recover(hash: Uint8Array, signature: Uint8Array, v: number, prefix: number): Uint8Array | undefined {
  if ((v !== 27 && v !== 28) || !hasValidScalars(signature)) return undefined;
  try {
    return addressOfKey(recoverKey(hash, signature, v - 27), prefix);
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}
