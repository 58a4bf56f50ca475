import secp256k1 from 'secp256k1';
import { type Address, addressBytes } from '../../log/domain/address.js';
import { compareBytes, concatBytes, EMPTY_BYTES, equalBytes, fromHex } from '../../log/domain/bytes.js';
import { keccak256, sha256 } from '../../log/domain/hash.js';
import { hasPassed, VERSION } from '../consensus/fork-versions.js';
import { javaFailure, VmError } from '../interpreter/vm-error.js';
import { permissionById } from '../permissions.js';
import {
  addressAt,
  booleanWord,
  type Precompile,
  type PrecompileContext,
  safeInt,
  success,
  WORD_BYTES,
  wholeWords,
  wordAt,
} from './precompile.js';

const ORDER = fromHex('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
const ZERO = new Uint8Array(WORD_BYTES);
const SIGNATURE_ENERGY = 1500;

/** Address (20 bytes of a word) that made a signature; nothing when there is none. Reference: ECRecover. */
export const ecRecover: Precompile = {
  energy: () => 3000,
  run(data, { machine }) {
    if (data.length < 96) return success(EMPTY_BYTES);
    const v = data.subarray(32, 64);
    if (v.subarray(0, 31).some((byte) => byte !== 0)) return success(EMPTY_BYTES);
    const address = recover(
      wordAt(data, 0),
      wordAt(data, 2),
      wordAt(data, 3),
      v[31]!,
      machine.state.rules.addressPrefix,
    );
    if (address === undefined) return success(EMPTY_BYTES);
    const word = new Uint8Array(WORD_BYTES);
    word.set(address, 11);
    return success(word);
  },
};

/** Up to 16 signatures of one hash against addresses: a byte each. Reference: BatchValidateSign. */
export const batchValidateSign: Precompile = {
  energy: (data) => signatureEnergy(data, 6),
  run(data, context) {
    try {
      return success(batch(data, context));
    } catch (error) {
      if (error instanceof RangeError) return success(new Uint8Array(WORD_BYTES));
      throw error;
    }
  },
};

const BATCH_MAX = 16;

function batch(data: Uint8Array, { machine }: PrecompileContext): Uint8Array {
  const words = wholeWords(data);
  const hash = at(words, 0);
  const signatures = bytesArray(words, Math.floor(safeInt(at(words, 1)) / WORD_BYTES), data);
  const addresses = wordArray(words, Math.floor(safeInt(at(words, 2)) / WORD_BYTES));
  const result = new Uint8Array(WORD_BYTES);
  const count = signatures.length;
  if (count === 0 || count > BATCH_MAX || count !== addresses.length) return result;
  for (const [i, signature] of signatures.entries()) {
    const signer = signerOf(signature, hash, machine.state.rules.addressPrefix);
    if (signer !== undefined && signer.length >= 20 && equalBytes(signer.subarray(-20), addresses[i]!.subarray(12))) {
      result[i] = 1;
    }
  }
  return result;
}

/** Whether signatures reach the threshold of an account's permission. Reference: ValidateMultiSign. */
export const validateMultiSign: Precompile = {
  energy: (data) => signatureEnergy(data, 5),
  run(data, context) {
    const words = wholeWords(data);
    return success(booleanWord(isSigned(words, data, context)));
  },
};

const MULTI_MAX = 5;

function isSigned(words: readonly Uint8Array[], data: Uint8Array, context: PrecompileContext): boolean {
  const { machine } = context;
  const { state } = machine;
  const address: Address = addressAt(context, indexed(words, 0));
  const permissionId = safeInt(indexed(words, 1));
  const id = Buffer.alloc(4);
  id.writeInt32BE(permissionId);
  const hash = sha256(concatBytes(addressBytes(address), id, indexed(words, 2)));
  const signatures = outward(() => bytesArray(words, Math.floor(safeInt(indexed(words, 3)) / WORD_BYTES), data));
  if (signatures.length === 0 || signatures.length > MULTI_MAX) return false;
  const account = machine.accounts.get(address);
  const permission = account === undefined ? undefined : permissionById(account, permissionId);
  if (permission === undefined) return false;
  let weight = 0n;
  const done: Uint8Array[] = [];
  for (const signature of signatures) {
    const signer = signerOf(signature, hash, state.rules.addressPrefix);
    // The reference fails on the missing address and answers "no".
    if (signer === undefined) return false;
    const entry = concatBytes(signer, signature);
    if (done.some((known) => equalBytes(known, signer))) {
      if (done.some((known) => equalBytes(known, entry))) continue;
      // Two signatures of one signer: the reference calls it a timeout since 4.7.1.
      if (hasPassed(state, VERSION.V4_7_1)) throw new VmError('OUT_OF_TIME', 'CPU timeout for 0x0a executing');
    }
    const key = permission.keys.find((candidate) => equalBytes(candidate.address, signer));
    if (key === undefined || key.weight === 0n) return false;
    weight += key.weight;
    done.push(entry, signer);
  }
  return weight >= permission.threshold;
}

function signatureEnergy(data: Uint8Array, wordsEach: number): number {
  return Math.trunc((Math.floor(data.length / WORD_BYTES) - 5) / wordsEach) * SIGNATURE_ENERGY;
}

/** Reference: recoverAddrBySign. @returns empty for a short signature, undefined for one that nobody made */
function signerOf(signature: Uint8Array, hash: Uint8Array, prefix: number): Uint8Array | undefined {
  if (signature.length < 65) return EMPTY_BYTES;
  const byte = (signature[64]! << 24) >> 24;
  const v = byte < 27 ? byte + 27 : byte;
  return recover(hash, signature.subarray(0, 32), signature.subarray(32, 64), v, prefix);
}

/** Address (21 bytes) of a signature with v 27 or 28 and r, s below the order; undefined for all others. */
function recover(hash: Uint8Array, r: Uint8Array, s: Uint8Array, v: number, prefix: number): Uint8Array | undefined {
  if (v !== 27 && v !== 28) return undefined;
  for (const part of [r, s]) if (compareBytes(part, ZERO) === 0 || compareBytes(part, ORDER) >= 0) return undefined;
  try {
    const key = secp256k1.ecdsaRecover(Buffer.concat([r, s]), v - 27, hash, false);
    const address = new Uint8Array(21);
    address[0] = prefix;
    address.set(keccak256(key.subarray(1)).subarray(12), 1);
    return address;
  } catch {
    // The library's only way to say that r is no point of the curve, or the key is none.
    return undefined;
  }
}

/** Reference: extractBytes32Array. @throws {RangeError} beyond the input */
function wordArray(words: readonly Uint8Array[], offset: number): Uint8Array[] {
  const length = safeInt(at(words, offset));
  if (length > words.length) throw new RangeError('array beyond the input');
  return Array.from({ length }, (_, i) => at(words, offset + i + 1));
}

/** Reference: extractBytesArray. @throws {RangeError} beyond the input */
function bytesArray(words: readonly Uint8Array[], offset: number, data: Uint8Array): Uint8Array[] {
  if (offset > words.length - 1) return [];
  const length = safeInt(at(words, offset));
  if (length > words.length) throw new RangeError('array beyond the input');
  return Array.from({ length }, (_, i) => {
    const start = Math.floor(safeInt(at(words, offset + i + 1)) / WORD_BYTES);
    const size = safeInt(at(words, offset + start + 1));
    return copyRange(data, (start + offset + 2) * WORD_BYTES, size);
  });
}

/**
 * Right-padded as Arrays.copyOfRange does, but never longer than the input or a signature: an input may claim any size.
 * @throws {RangeError} a start behind the input, an end that no int holds
 */
function copyRange(data: Uint8Array, start: number, size: number): Uint8Array {
  if (start > data.length || start + size > 0x7fffffff) throw new RangeError('bytes beyond the input');
  const bytes = new Uint8Array(Math.min(size, Math.max(data.length - start, 65)));
  bytes.set(data.subarray(start, start + size));
  return bytes;
}

/** @throws {RangeError} as Java's arrays do */
function at(words: readonly Uint8Array[], index: number): Uint8Array {
  const word = words[index];
  if (word === undefined) throw new RangeError(`${index}`);
  return word;
}

/** As `at`, where the reference lets the exception out, which fails the program. */
function indexed(words: readonly Uint8Array[], index: number): Uint8Array {
  const word = words[index];
  if (word === undefined) {
    throw javaFailure('ArrayIndexOutOfBoundsException', `Index ${index} out of bounds for length ${words.length}`);
  }
  return word;
}

function outward<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw javaFailure('ArrayIndexOutOfBoundsException', error.message);
    throw error;
  }
}
