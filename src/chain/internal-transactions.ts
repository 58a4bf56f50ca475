import { type InternalTransaction, TransactionInfo, TransactionRet } from '../codec/generated/messages.js';
import { withInternalData } from '../log/internal-data.js';
import { itemAt } from '../primitives/assert.js';
import type { BlockOutcome } from '../state-transition/block/execute-block.js';
import { callDataOf } from '../vm/machine/internal-transaction.js';

/**
 * Encodes all internal transactions of a block, with call data, as one `TransactionRet`. Each transaction has one
 * `TransactionInfo`, which contains only its internal transactions. The log stores these bytes even if receipts do not
 * show internal transactions.
 */
export function encodeInternalTransactions(perTransaction: readonly (readonly InternalTransaction[])[]): Uint8Array {
  if (perTransaction.every((list) => list.length === 0)) return new Uint8Array(0);
  const all = new TransactionRet();
  all.transactioninfo = perTransaction.map((list) =>
    Object.assign(new TransactionInfo(), {
      internalTransactions: list.map((item) => withInternalData(item, callDataOf(item))),
    }),
  );
  return TransactionRet.encode(all);
}

export type ShownInternalTransactions = 'none' | 'plain' | 'all';

/** Kinds of internal transactions that receipts include even without `vm.saveFeaturedInternalTx`. */
const PLAIN_NOTES = new Set(['call', 'create', 'suicide']);

/** Adds internal transactions to the receipts of a block. `shown` selects the kinds. */
export function showInternalTransactions(
  { results, internalTransactions }: BlockOutcome,
  shown: ShownInternalTransactions,
): void {
  if (shown === 'none') return;
  results.transactioninfo.forEach((info, at) => {
    const all = itemAt(internalTransactions, at);
    info.internalTransactions = all.filter(
      ({ note }) => shown === 'all' || PLAIN_NOTES.has(Buffer.from(note).toString()),
    );
  });
}
