import {
  Block,
  BlockHeaderRaw,
  type Transaction,
  type TransactionInfo,
  TransactionRet,
} from '../../log/codec/generated/messages.js';
import { toHex } from '../../log/domain/bytes.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import type { Ledger } from '../../projections/ledger.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';

/** A block of the log, taken apart as far as answers have needed it. */
export interface ReadBlock {
  readonly number: number;
  readonly id: Uint8Array;
  readonly entry: AppliedEntry;
  readonly header: BlockHeaderRaw;
  readonly signature: Uint8Array;
  readonly transactions: readonly ReadTransaction[];
}

/** A transaction with its place; without one while it waits. */
export interface ReadTransaction {
  readonly message: Transaction;
  readonly id: Uint8Array;
  readonly info: TransactionInfo | undefined;
  readonly place: { readonly number: number; readonly index: number } | undefined;
}

/**
 * Blocks kept decoded. Subscribers follow the head together, so that a few are shared by all; 64 blocks of 300 transactions are
 * some 30 MB.
 */
const BLOCKS_MAX = 64;

/** Reads blocks out of the log, each once for all that ask about the same time. */
export class BlockReader {
  private readonly ledger: Ledger;
  /** By id (hex), longest unused first. */
  private readonly known = new Map<string, ReadBlock>();

  constructor(ledger: Ledger) {
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
    return entry && this.keep(key, readBlock(entry));
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
export function waitingTransaction(message: Transaction): ReadTransaction {
  return { message, id: decodeTransaction(message).id, info: undefined, place: undefined };
}

function readBlock(entry: AppliedEntry): ReadBlock {
  const { number, id, transactionIds } = entry;
  const block = Block.decode(entry.block);
  const infos = TransactionRet.decode(entry.results).transactioninfo;
  const transactions = block.transactions.map((message, index) => ({
    message,
    id: transactionIds[index] ?? decodeTransaction(message).id,
    info: infos[index],
    place: { number, index },
  }));
  return {
    number,
    id,
    entry,
    header: block.blockHeader?.rawData ?? new BlockHeaderRaw(),
    signature: block.blockHeader?.witnessSignature ?? new Uint8Array(0),
    transactions,
  };
}
