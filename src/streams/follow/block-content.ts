import type { AppliedEntry } from '../../log/log-entry.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { StoredBlock } from '../../state-transition/block/stored-block.js';
import type { StoredTransaction } from '../../state-transition/block/stored-transaction.js';
import type { SolidBlock } from './solid-blocks.js';

/** The parts of a block from which payloads are created. Transactions are decoded on first use. */
export interface BlockContent {
  readonly seq: number;
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: bigint;
  readonly solidifiedNumber: number;
  readonly solidifiedBefore: number;
  readonly transactions: readonly StreamedTransaction[];
}

export type StreamedTransaction = Pick<
  StoredTransaction,
  'message' | 'idHex' | 'info' | 'internal' | 'contract' | 'parameter'
>;

/**
 * Reads the parts of a solidified block. The result includes both solidified numbers of {@link SolidBlock}.
 */
export function readBlockContent(ledger: Pick<Ledger, 'changes'>, block: SolidBlock): BlockContent {
  const { entry, solidifiedNumber, solidifiedBefore } = block;
  return { ...readBlockEntry(ledger, entry), solidifiedNumber, solidifiedBefore };
}

/**
 * Reads the parts of a block that its `applied` entry contains. The solidified numbers are missing, because later
 * entries contain them.
 */
export function readBlockEntry(
  ledger: Pick<Ledger, 'changes'>,
  entry: AppliedEntry,
): Omit<BlockContent, 'solidifiedNumber' | 'solidifiedBefore'> {
  const { seq, number, id, parentId } = entry;
  const block = new StoredBlock(entry, () => ledger.changes(seq)?.internalTransactions);
  const { header, transactions } = block;
  return { seq, number, id: toHex(id), parentId: toHex(parentId), timeMs: header.timestamp, transactions };
}
