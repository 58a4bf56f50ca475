import { BlockHeader, BlockHeaderRaw, Transaction, TransactionInfo } from '../../codec/generated/messages.js';
import { Reader } from '../../codec/reader.js';
import { itemAt } from '../../domain/assert.js';
import { toHex } from '../../domain/bytes.js';
import type { AppliedEntry } from '../../log/log-entry.js';
import type { Ledger } from '../../projections/ledger/ledger.js';
import { decodeTransaction } from '../../vm/transactions/decode-transaction.js';

/** A block of the log, taken apart as far as answers have needed it. */
export interface ReadBlock {
  readonly number: number;
  readonly id: Uint8Array;
  readonly entry: AppliedEntry;
  readonly header: BlockHeaderRaw;
  readonly signature: Uint8Array;
  readonly transactionCount: number;
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
 * Blocks kept, so that a page of 100 is read once however often a query names it. Subscribers follow the head together, a few are
 * shared by all. 128 blocks of 300 transactions are some 10 MB as bytes, and 60 MB when all of each was asked for.
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
export function waitingTransaction(message: Transaction): ReadTransaction {
  return { message, id: decodeTransaction(message).id, info: undefined, place: undefined };
}

/**
 * Takes a block apart as far as it is asked: who wants its height or its id pays for no transaction, and who wants one
 * transaction not for the other thousand. Decoding all of a block takes some 3 µs for each, and as much again for its result.
 */
class StoredBlock implements ReadBlock {
  readonly entry: AppliedEntry;
  private knownParts: BlockParts | undefined;
  private knownInfos: readonly Uint8Array[] | undefined;
  private knownTransactions: readonly ReadTransaction[] | undefined;

  constructor(entry: AppliedEntry) {
    this.entry = entry;
  }

  get number(): number {
    return this.entry.number;
  }

  get id(): Uint8Array {
    return this.entry.id;
  }

  get header(): BlockHeaderRaw {
    return this.parts.header?.rawData ?? new BlockHeaderRaw();
  }

  get signature(): Uint8Array {
    return this.parts.header?.witnessSignature ?? new Uint8Array(0);
  }

  get transactionCount(): number {
    return this.parts.transactions.length;
  }

  get transactions(): readonly ReadTransaction[] {
    this.knownTransactions ??= this.parts.transactions.map((_, index) => new StoredTransaction(this, index));
    return this.knownTransactions;
  }

  get parts(): BlockParts {
    this.knownParts ??= Reader.decode(this.entry.block, BlockParts);
    return this.knownParts;
  }

  /** Results of the transactions, as bytes. */
  get infos(): readonly Uint8Array[] {
    this.knownInfos ??= Reader.decode(this.entry.results, ResultParts).infos;
    return this.knownInfos;
  }
}

class StoredTransaction implements ReadTransaction {
  readonly place: { readonly number: number; readonly index: number };
  private readonly block: StoredBlock;
  private knownMessage: Transaction | undefined;
  private knownInfo: TransactionInfo | undefined;

  constructor(block: StoredBlock, index: number) {
    this.block = block;
    this.place = { number: block.number, index };
  }

  get message(): Transaction {
    this.knownMessage ??= Transaction.decode(itemAt(this.block.parts.transactions, this.place.index));
    return this.knownMessage;
  }

  get id(): Uint8Array {
    return this.block.entry.transactionIds[this.place.index] ?? decodeTransaction(this.message).id;
  }

  get info(): TransactionInfo | undefined {
    const bytes = this.block.infos[this.place.index];
    if (bytes === undefined) return undefined;
    this.knownInfo ??= TransactionInfo.decode(bytes);
    return this.knownInfo;
  }
}

/** `protocol.Block` with its transactions as bytes. */
class BlockParts {
  readonly transactions: Uint8Array[] = [];
  header: BlockHeader | undefined;
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, parts: BlockParts): BlockParts {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === BLOCK_TRANSACTION) parts.transactions.push(reader.bytes());
      else if (tag === BLOCK_HEADER) parts.header = reader.single(BlockHeader, parts.header);
      else reader.skip(tag);
    }
    return parts;
  }
}

/** `protocol.TransactionRet` with its results as bytes. */
class ResultParts {
  readonly infos: Uint8Array[] = [];
  $unknown: Uint8Array | undefined;

  static read(reader: Reader, end: number, parts: ResultParts): ResultParts {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === RESULT_INFO) parts.infos.push(reader.bytes());
      else reader.skip(tag);
    }
    return parts;
  }
}

/** Tags on the wire: number of the field × 8 + 2 for what has a length. */
const BLOCK_TRANSACTION = 10;
const BLOCK_HEADER = 18;
const RESULT_INFO = 26;
