import { ADDRESS_BYTES } from '../../primitives/address.js';
import { toHex } from '../../primitives/bytes.js';
import { dropOldest } from '../../primitives/drop-oldest.js';
import { TronError } from '../../primitives/errors.js';
import { StoredBlock, type StoredTransaction } from '../../state-transition/block/stored-block.js';
import type { BlockChanges } from '../ledger/ledger.js';
import type { ProjectedBlock } from '../runner/projection.js';

/** A transaction of a block with all that histories are made of. */
export type TransactionParts = Pick<
  StoredTransaction,
  'index' | 'message' | 'contract' | 'parameter' | 'info' | 'internal'
>;

/** A block with what histories are made of. */
export interface HistoryBlock extends ProjectedBlock {
  readonly transactions: readonly TransactionParts[];
}

/**
 * At the head all histories fold the same block one after the other; while one catches up, it is alone. 8 of 1,000
 * transactions: 16 MB.
 */
const BLOCKS_MAX = 8;

/** The blocks that histories asked for last, each taken apart once for all of them. */
export class HistoryBlocks {
  /** By the entry's number, the oldest first. */
  private readonly known = new Map<number, StoredBlock>();

  of(block: ProjectedBlock): HistoryBlock {
    const { entry } = block;
    const stored = this.known.get(entry.seq) ?? this.read(block);
    return {
      entry,
      changes: block.changes,
      get transactions() {
        return stored.transactions;
      },
    };
  }

  private read(block: ProjectedBlock): StoredBlock {
    const stored = new StoredBlock(block.entry, () => changesOf(block)?.internalTransactions);
    this.known.set(block.entry.seq, stored);
    if (this.known.size > BLOCKS_MAX) dropOldest(this.known);
    return stored;
  }
}

function changesOf(block: ProjectedBlock): BlockChanges | undefined {
  try {
    return block.changes();
  } catch (error) {
    if (error instanceof TronError && error.code === 'HISTORY_NOT_KEPT') return undefined;
    throw error;
  }
}

/** Addresses that a contract names, its sender first: every field whose name says so. */
export function namedAddresses(parameter: object | undefined): Uint8Array[] {
  return Object.entries(parameter ?? {}).flatMap(([name, value]) =>
    /address$/i.test(name) && value instanceof Uint8Array && value.length === ADDRESS_BYTES ? [value] : [],
  );
}

/** Each address once. */
export function distinct(addresses: readonly Uint8Array[]): Uint8Array[] {
  return [
    ...new Map(addresses.filter(({ length }) => length === ADDRESS_BYTES).map((one) => [toHex(one), one])).values(),
  ];
}
