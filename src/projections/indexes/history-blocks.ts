import { ADDRESS_BYTES } from '../../primitives/address.js';
import { toHex } from '../../primitives/bytes.js';
import { dropOldest } from '../../primitives/drop-oldest.js';
import { TronError } from '../../primitives/errors.js';
import { StoredBlock, type StoredTransaction } from '../../state-transition/block/stored-block.js';
import type { BlockChanges } from '../ledger/ledger.js';
import type { ProjectedBlock } from '../runner/projection.js';

/** The parts of a transaction that the indexes use. */
export type TransactionParts = Pick<
  StoredTransaction,
  'index' | 'message' | 'contract' | 'parameter' | 'info' | 'internal'
>;

/** A block with its decoded transactions. */
export interface HistoryBlock extends ProjectedBlock {
  readonly transactions: readonly TransactionParts[];
}

/**
 * Number of cached blocks. At the head of the chain, all indexes process the same block one after the other. 8 blocks
 * of 1,000 transactions take 16 MB.
 */
const BLOCKS_MAX = 8;

/** Cache of the last blocks, each decoded once for all indexes. */
export class HistoryBlocks {
  /** Cached blocks by seq, oldest first. */
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

/**
 * Returns the addresses in a contract parameter, sender first. They are the values of all fields whose name ends with
 * `address`.
 */
export function namedAddresses(parameter: object | undefined): Uint8Array[] {
  return Object.entries(parameter ?? {}).flatMap(([name, value]) =>
    /address$/i.test(name) && value instanceof Uint8Array && value.length === ADDRESS_BYTES ? [value] : [],
  );
}

/** Returns each address once. */
export function distinct(addresses: readonly Uint8Array[]): Uint8Array[] {
  return [
    ...new Map(addresses.filter(({ length }) => length === ADDRESS_BYTES).map((one) => [toHex(one), one])).values(),
  ];
}
