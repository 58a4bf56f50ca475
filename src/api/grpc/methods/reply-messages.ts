import {
  NumberMessage,
  Return,
  type Transaction,
  TransactionExtention,
  TransactionRaw,
} from '../../../codec/generated/messages.js';
import { sha256 } from '../../../crypto/hash.js';

/** Returns a transaction with its id and a success result. Reference: RpcApiService.transaction2Extention. */
export function transactionExtention(transaction: Transaction): TransactionExtention {
  const raw = TransactionRaw.encode(transaction.rawData ?? new TransactionRaw());
  return Object.assign(new TransactionExtention(), {
    transaction,
    txid: sha256(raw),
    result: Object.assign(new Return(), { result: true }),
  });
}

export function numberMessage(num: bigint): NumberMessage {
  return Object.assign(new NumberMessage(), { num });
}
