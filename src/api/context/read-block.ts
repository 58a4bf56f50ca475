import type { Transaction } from '../../codec/generated/messages.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import { TronError } from '../../primitives/errors.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { StoredBlock } from '../../state-transition/block/stored-block.js';
import type { StoredTransaction } from '../../state-transition/block/stored-transaction.js';
import { decodeParameter, decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';

/** A block read from the block log. */
export type ReadBlock = StoredBlock<AppliedEntry>;

/** A transaction and its position in the chain. A pending transaction has no position. */
export interface ReadTransaction
  extends Pick<StoredTransaction, 'message' | 'id' | 'info' | 'contract' | 'parameter' | 'decoded'> {
  readonly position: StoredTransaction['position'] | undefined;
}

/**
 * Number of cached blocks. Subscribers that read the newest blocks share these blocks, and a page of 100 blocks reads
 * each block only once. 128 blocks of 300 transactions need about 10 MB encoded, and 60 MB fully decoded.
 */
const BLOCKS_MAX = 128;

type BlockSource = Pick<Ledger, 'blockIdAt' | 'entryOfId'>;

/** Reads blocks from the block log through a cache. */
export class BlockReader {
  private readonly ledger: BlockSource;
  /** Blocks by id (hex), least recently used first. */
  private readonly known = new Map<string, ReadBlock>();

  constructor(ledger: BlockSource) {
    this.ledger = ledger;
  }

  /** Returns the canonical block at a height; undefined if it is not stored. */
  byNumber(number: number): ReadBlock | undefined {
    const id = this.ledger.blockIdAt(number);
    return id && this.byId(id);
  }

  /**
   * Returns a block of the block log by its id; undefined if it is not stored. The block may be canonical or reverted.
   */
  byId(id: Uint8Array): ReadBlock | undefined {
    const key = toHex(id);
    const known = this.known.get(key);
    if (known !== undefined) return this.keep(key, known);
    const entry = this.ledger.entryOfId(id);
    return entry && this.keep(key, new StoredBlock(entry));
  }

  private keep(key: string, found: ReadBlock): ReadBlock {
    this.known.delete(key);
    this.known.set(key, found);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= BLOCKS_MAX) break;
      this.known.delete(oldest);
    }
    return found;
  }
}

/** Returns a pending transaction with its contract decoded. */
export function pendingTransaction(message: Transaction): ReadTransaction {
  const contract = message.rawData?.contract[0];
  const parameter = contract && decodeParameter(contract);
  const decoded = decodeTransaction(message);
  return { message, decoded, id: decoded.id, contract, parameter, info: undefined, position: undefined };
}

/** Returns a block to which an index refers. @throws {TronError} HISTORY_NOT_KEPT: the block is not stored */
export function blockAt({ blocks }: { readonly blocks: Pick<BlockReader, 'byNumber'> }, number: number): ReadBlock {
  const block = blocks.byNumber(number);
  if (block !== undefined) return block;
  throw new TronError(
    'HISTORY_NOT_KEPT',
    `block ${number} is not stored on this node; use a higher height, or another node`,
  );
}

/** Returns a transaction to which an index refers. Creates no objects for the other transactions of the block. */
export function transactionIn(block: ReadBlock, index: number): StoredTransaction {
  return present(block.transactionAt(index), 'an index refers to transactions of the block');
}
