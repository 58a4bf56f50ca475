import type { BlockParts } from '../../codec/block-parts.js';
import type { MessageType } from '../../codec/descriptor.js';
import { Transaction, TransactionInfo } from '../../codec/generated/messages.js';
import { PlainForm } from '../../codec/plain-form.js';
import { onFirstUseOf } from '../../primitives/on-first-use.js';

const plainForm = new PlainForm();

/** Returns true if the bytes are known to be the canonical encoding of a message; false if this is unknown. */
export function isCanonical(type: MessageType<object>, bytes: Uint8Array): boolean {
  return plainForm.has(type, bytes);
}

/** Returns the canonical encoding of a message; the same bytes if they are canonical already. */
export function canonical<Message extends object>(type: MessageType<Message>, bytes: Uint8Array): Uint8Array {
  return isCanonical(type, bytes) ? bytes : type.encode(type.decode(bytes));
}

/** Returns true if all transactions of a block are known to be in canonical encoding; false if this is unknown. */
export function hasCanonicalTransactions(parts: BlockParts): boolean {
  return checkedTransactions(parts).areCanonical;
}

/** Returns true if the block has receipts, and all of them are known to be in canonical encoding. */
export function hasCanonicalReceipts(parts: BlockParts): boolean {
  return checkedReceipts(parts).areCanonical;
}

// Caches the result of the check as long as the log caches the parts of the block. A check takes about 1 µs per
// transaction.
const checkedTransactions = onFirstUseOf((parts: BlockParts) => ({
  areCanonical: isEach(parts, (index) => isCanonical(Transaction, parts.transaction(index))),
}));
const checkedReceipts = onFirstUseOf((parts: BlockParts) => ({
  areCanonical: parts.hasReceipts && isEach(parts, (index) => isCanonical(TransactionInfo, parts.receipt(index))),
}));

function isEach({ transactionCount }: BlockParts, check: (index: number) => boolean): boolean {
  for (let index = 0; index < transactionCount; index++) if (!check(index)) return false;
  return true;
}
