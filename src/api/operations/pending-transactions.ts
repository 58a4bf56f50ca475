import { type Transaction, TransactionRaw } from '../../codec/generated/messages.js';
import { sha256 } from '../../crypto/hash.js';
import { toHex } from '../../primitives/bytes.js';

/** Returns the id of a transaction: SHA-256 of its re-encoded raw data. */
export function transactionId({ rawData }: Transaction): Uint8Array {
  return sha256(TransactionRaw.encode(rawData ?? new TransactionRaw()));
}

export function transactionIdHex(transaction: Transaction): string {
  return toHex(transactionId(transaction));
}
