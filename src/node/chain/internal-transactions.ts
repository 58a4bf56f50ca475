import { type InternalTransaction, TransactionInfo, TransactionRet } from '../../codec/generated/messages.js';
import { withInternalData } from '../../log/internal-data.js';
import { callDataOf } from '../../vm/machine/internal-transaction.js';

/**
 * All internal transactions of a block as one `TransactionRet`, an info with nothing else per transaction: the log keeps them
 * whatever the receipts show, and with their call data.
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
