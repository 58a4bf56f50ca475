import type { Transaction } from '../../codec/generated/messages.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import { toHex } from '../../primitives/bytes.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { StoredBlock, type StoredTransaction } from '../../state-transition/block/stored-block.js';
import { decodeParameter, decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';

/** A block of the log. */
export type ReadBlock = StoredBlock<AppliedEntry>;

/** A transaction with its place; without one while it waits. */
export interface ReadTransaction
  extends Pick<StoredTransaction, 'message' | 'id' | 'info' | 'contract' | 'parameter' | 'decoded'> {
  readonly place: StoredTransaction['place'] | undefined;
}

/**
 * Blocks kept, so that a page of 100 is read once however often a query names it. Subscribers follow the head together,
 * a few are shared by all. 128 blocks of 300 transactions are some 10 MB as bytes, and 60 MB when all of each was asked
 * for.
 */
const BLOCKS_MAX = 128;

type BlockSource = Pick<Ledger, 'blockIdAt' | 'entryOfId'>;

/** Reads blocks out of the log, each once for all that ask about the same time. */
export class BlockReader {
  private readonly ledger: BlockSource;
  /** By id (hex), longest unused first. */
  private readonly known = new Map<string, ReadBlock>();

  constructor(ledger: BlockSource) {
    this.ledger = ledger;
  }

  /** The canonical block of a height. */
  byNumber(number: number): ReadBlock | undefined {
    const id = this.ledger.blockIdAt(number);
    return id && this.byId(id);
  }

  /** A block of the log, canonical or taken back. */
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

/** A transaction that is in no block. */
export function pendingTransaction(message: Transaction): ReadTransaction {
  const contract = message.rawData?.contract[0];
  const parameter = contract && decodeParameter(contract);
  const decoded = decodeTransaction(message);
  return { message, decoded, id: decoded.id, contract, parameter, info: undefined, place: undefined };
}
