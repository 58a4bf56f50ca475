import {
  Block,
  type InternalTransaction,
  type Transaction,
  type TransactionInfo,
  TransactionRet,
} from '../../codec/generated/messages.js';
import { toHex } from '../../domain/bytes.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import type { BlockChanges, Ledger } from '../../projections/ledger/ledger.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';
import type { SolidBlock } from './solid-blocks.js';

/** An irreversible block taken apart, as the payloads need it. */
export interface BlockContent {
  readonly seq: number;
  readonly number: number;
  /** Hex. */
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: bigint;
  readonly solidifiedNumber: number;
  readonly solidifiedBefore: number;
  readonly transactions: readonly TransactionContent[];
}

export interface TransactionContent {
  readonly message: Transaction;
  /** Hex. */
  readonly id: string;
  /** Undefined in genesis, which nothing executes. */
  readonly info: TransactionInfo | undefined;
  readonly internal: readonly InternalTransaction[];
}

/** Reads block, receipts and internal transactions of an irreversible block. */
export function readBlockContent(ledger: Pick<Ledger, 'changes'>, block: SolidBlock): BlockContent {
  const { entry, solidifiedNumber, solidifiedBefore } = block;
  return { ...readEntry(ledger, entry), solidifiedNumber, solidifiedBefore };
}

/** The part of {@link readBlockContent} that does not depend on what came later. */
export function readEntry(
  ledger: Pick<Ledger, 'changes'>,
  entry: AppliedEntry,
): Omit<BlockContent, 'solidifiedNumber' | 'solidifiedBefore'> {
  const { seq, number, id, parentId } = entry;
  const block = Block.decode(entry.block);
  const infos = TransactionRet.decode(entry.results).transactioninfo;
  const internal = internalOf(infos, () => ledger.changes(seq));
  const transactions = block.transactions.map((message, at) => ({
    message,
    id: toHex(entry.transactionIds[at] ?? decodeTransaction(message).id),
    info: infos[at],
    internal: internal[at] ?? [],
  }));
  const timeMs = block.blockHeader?.rawData?.timestamp ?? 0n;
  return { seq, number, id: toHex(id), parentId: toHex(parentId), timeMs: BigInt(timeMs), transactions };
}

/**
 * Internal transactions of a block's transactions. The log keeps all of them beside the block, as long as its changes are kept; receipts
 * show what the configuration says.
 */
export function internalOf(
  infos: readonly TransactionInfo[],
  changes: () => BlockChanges | undefined,
): readonly (readonly InternalTransaction[])[] {
  // Only smart contracts make internal transactions, and only they spend energy.
  if (!infos.some(({ receipt, contractAddress }) => contractAddress.length > 0 || receipt?.energyUsageTotal)) return [];
  const kept = changes()?.internalTransactions;
  if (kept === undefined) return infos.map(({ internalTransactions }) => internalTransactions);
  return TransactionRet.decode(kept).transactioninfo.map(({ internalTransactions }) => internalTransactions);
}
