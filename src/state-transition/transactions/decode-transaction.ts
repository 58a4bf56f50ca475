import type { MessageType } from '../../codec/descriptor.js';
import { Transaction, TransactionContract, TransactionRaw, TransactionResult } from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { toAddress } from '../../primitives/address.js';
import { itemAt } from '../../primitives/assert.js';
import { EMPTY_BYTES, toHex } from '../../primitives/bytes.js';
import { contractRows } from '../system-contracts/table.js';
import type { DecodedTransaction, TransactionContent } from '../transaction.js';

/**
 * Takes a transaction apart. Contracts that cannot be read have no owner, as in the reference, and are refused for that
 * later.
 */
export function decodeTransaction(message: Transaction): DecodedTransaction {
  return takeApart(message, Transaction.encode(message));
}

/** The same of bytes that this program wrote: they are not written again. @throws {ProtobufError} */
export function decodeWritten(bytes: Uint8Array): DecodedTransaction {
  return takeApart(Transaction.decode(bytes), bytes);
}

/** A transaction with other results: what is signed, and so its id, stays. */
export function withResults(transaction: DecodedTransaction, ret: TransactionResult[]): DecodedTransaction {
  return withUnsigned(transaction, { ret });
}

/**
 * A transaction with no more results than contracts, where it has any of these.
 * Reference: TransactionCapsule.removeRedundantRet.
 */
export function withoutSurplusResults(transaction: DecodedTransaction): DecodedTransaction {
  const { ret } = transaction.message;
  const { length } = transaction.raw.contract;
  return length === 0 || ret.length <= length ? transaction : withResults(transaction, ret.slice(0, length));
}

/**
 * A transaction without the fields beside what is signed that the schema does not know.
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

/** Decodes the first contract of a transaction and its owner; hashes nothing. */
export function decodeContract(message: Transaction): TransactionContent {
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

function takeApart(message: Transaction, bytes: Uint8Array): DecodedTransaction {
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
 * Content of the field that a message begins with, which has a one-byte tag: raw_data as it is written in a
 * transaction.
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

/** Bytes of a length-delimited field with a one-byte tag. */
export function fieldSize(length: number): number {
  return 1 + varintSize(length) + length;
}

function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : 4;
}

/** Undefined for an unknown type, another type's message, or bytes that do not parse. Reference: Any.unpack. */
export function decodeParameter({ type, parameter }: TransactionContract): object | undefined {
  const message = contractRows.get(type)?.message;
  if (message === undefined || parameter === undefined) return undefined;
  if (typeName(parameter.typeUrl) !== message.$name) return undefined;
  return tryDecode(message, parameter.value);
}

/**
 * The message that a type URL names: what stands behind the last slash, nothing without one.
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
