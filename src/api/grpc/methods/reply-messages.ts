import {
  type Block,
  BlockExtention,
  BlockHeader,
  BlockHeaderRaw,
  NumberMessage,
  Return,
  type Transaction,
  TransactionExtention,
  TransactionRaw,
} from '../../../codec/generated/messages.js';
import { sha256 } from '../../../crypto/hash.js';
import { blockId } from '../../../state-transition/block/encoded-block.js';

/** Returns a transaction with its id and a success result. Reference: RpcApiService.transaction2Extention. */
export function transactionExtention(transaction: Transaction): TransactionExtention {
  const raw = TransactionRaw.encode(transaction.rawData ?? new TransactionRaw());
  return Object.assign(new TransactionExtention(), {
    transaction,
    txid: sha256(raw),
    result: Object.assign(new Return(), { result: true }),
  });
}

export function blockExtention(block: Block | undefined): BlockExtention | undefined {
  if (block === undefined) return undefined;
  const header = block.blockHeader ?? new BlockHeader();
  return Object.assign(new BlockExtention(), {
    blockHeader: header,
    blockid: blockId(header.rawData ?? new BlockHeaderRaw()),
    transactions: block.transactions.map(transactionExtention),
  });
}

export function numberMessage(num: bigint): NumberMessage {
  return Object.assign(new NumberMessage(), { num });
}
