import type { MessageType } from '../../codec/descriptor.js';
import { Transaction, TransactionContract, TransactionRaw, TransactionResult } from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import { contractRows } from '../system-contracts/table.js';
import type { DecodedTransaction, ShownTransaction, TransactionContent } from '../transaction.js';

/**
 * Decodes a transaction. As in java-tron, a transaction with a malformed contract has no owner. The rules therefore
 * reject it later.
 */
export function decodeTransaction(message: Transaction): DecodedTransaction {
  return decodeParts(message, Transaction.encode(message));
}

/**
 * Decodes a transaction without re-encoding it. The bytes must be in canonical encoding, as Tronicle writes them.
 * @throws {ProtobufError} the bytes are malformed
 */
export function decodeWritten(bytes: Uint8Array): DecodedTransaction {
  return decodeParts(Transaction.decode(bytes), bytes);
}

/** Returns the transaction with other results. The signed part and the id do not change. */
export function withResults(transaction: DecodedTransaction, ret: TransactionResult[]): DecodedTransaction {
  return withUnsigned(transaction, { ret });
}

/**
 * Returns the transaction with at most as many results as contracts. Does not change a transaction without contracts.
 * Reference: TransactionCapsule.removeRedundantRet.
 */
export function withoutSurplusResults(transaction: DecodedTransaction): DecodedTransaction {
  const { ret } = transaction.message;
  const { length } = transaction.raw.contract;
  return length === 0 || ret.length <= length ? transaction : withResults(transaction, ret.slice(0, length));
}

/**
 * Returns the transaction without unknown fields outside of the signed part.
 * Reference: TransactionCapsule.sanitize.
 */
export function withoutUnknown(transaction: DecodedTransaction): DecodedTransaction {
  if (transaction.message.$unknown === undefined) return transaction;
  return withUnsigned(transaction, { $unknown: undefined });
}

function withUnsigned(
  transaction: DecodedTransaction,
  parts: Partial<Pick<Transaction, 'ret' | '$unknown'>>,
): DecodedTransaction {
  const message = Object.assign(new Transaction(), transaction.message, parts);
  const bytes = Transaction.encode(message);
  return { ...transaction, message, bytes, hash: sha256(bytes), ...sizesOf(message, bytes) };
}

/** Decodes the first contract of a transaction and its owner. Computes no hash. */
function decodeContract(message: Transaction): TransactionContent {
  const raw = message.rawData ?? new TransactionRaw();
  const contract = raw.contract[0] ?? new TransactionContract();
  const parameter = decodeParameter(contract);
  const owner = parameter === undefined ? undefined : contractRows.get(contract.type)?.ownerOf(parameter);
  return {
    message,
    raw,
    contract,
    contractType: contract.type,
    parameter: parameter ?? NOTHING,
    owner: toAddress(owner ?? EMPTY_BYTES),
  };
}

/** Returns the parts of a transaction that JSON-RPC answers need. */
export function shownTransaction(transaction: DecodedTransaction): ShownTransaction {
  const { id, contractType, parameter, message } = transaction;
  return { id, contractType, parameter, signature: message.signature[0] };
}

function decodeParts(message: Transaction, bytes: Uint8Array): DecodedTransaction {
  const content = decodeContract(message);
  const { raw } = content;
  const id = sha256(message.rawData === undefined ? TransactionRaw.encode(raw) : firstField(bytes));
  return {
    ...content,
    id,
    idHex: toHex(id),
    bytes,
    hash: sha256(bytes),
    ...sizesOf(message, bytes),
  };
}

function sizesOf(
  { ret }: Transaction,
  { length: size }: Uint8Array,
): Pick<DecodedTransaction, 'size' | 'sizeWithoutResult' | 'resultSize'> {
  let sizeWithoutResult = size;
  let resultSize = 0;
  for (const result of ret) {
    const { length } = TransactionResult.encode(result);
    sizeWithoutResult -= fieldSize(length);
    resultSize += length;
  }
  return { size, sizeWithoutResult, resultSize };
}

const NOTHING = {};

/**
 * Returns the content of the first field, which must have a one-byte tag. In a transaction, the first field is
 * `raw_data`.
 */
function firstField(bytes: Uint8Array): Uint8Array {
  let at = 1;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = itemAt(bytes, at++);
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) return bytes.subarray(at, at + length);
  }
}

/** Returns the encoded size of a length-delimited field with a one-byte tag. */
export function fieldSize(length: number): number {
  return 1 + varintSize(length) + length;
}

function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : 4;
}

/**
 * Decodes a contract's parameter. Returns undefined for an unknown type, a mismatched type, or malformed bytes.
 * Reference: Any.unpack.
 */
export function decodeParameter({ type, parameter }: TransactionContract): object | undefined {
  const message = contractRows.get(type)?.message;
  if (message === undefined || parameter === undefined) return undefined;
  if (typeName(parameter.typeUrl) !== message.$name) return undefined;
  return tryDecode(message, parameter.value);
}

/**
 * Returns the message name in a type URL: the text after the last slash. Returns an empty text if the URL has no slash.
 * Reference: Any.getTypeNameFromTypeUrl.
 */
export function typeName(url: string): string {
  const slash = url.lastIndexOf('/');
  return slash < 0 ? '' : url.slice(slash + 1);
}

function tryDecode(message: MessageType<object>, bytes: Uint8Array): object | undefined {
  try {
    return message.decode(bytes);
  } catch {
    return undefined;
  }
}
