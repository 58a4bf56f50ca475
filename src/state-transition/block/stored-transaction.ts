import { TransactionOutline } from '../../codec/block-figures.js';
import {
  type InternalTransaction,
  Transaction,
  TransactionContract,
  type TransactionInfo,
} from '../../codec/generated/messages.js';
import { toHex } from '../../primitives/bytes.js';
import type { DecodedTransaction, ShownTransaction } from '../transaction.js';
import { decodeParameter, decodeTransaction } from '../transactions/decode-transaction.js';
import { canonical } from './canonical-encoding.js';

/** Block that contains a stored transaction. The methods take the index of the transaction in the block. */
interface BlockOfTransaction {
  readonly number: number;
  readonly receiptCount: number;
  transactionId(index: number): Uint8Array;
  transactionBytes(index: number): Uint8Array;
  infoAt(index: number): TransactionInfo | undefined;
  canonicalReceipt(index: number): Uint8Array;
  internalAt(index: number): readonly InternalTransaction[];
}

/** A transaction of a stored block. Its parts are decoded on demand. */
export class StoredTransaction {
  /** Index of the transaction in its block. */
  readonly index: number;
  private readonly block: BlockOfTransaction;
  private knownMessage: Transaction | undefined;
  private knownDecoded: DecodedTransaction | undefined;
  private knownIdHex: string | undefined;
  private knownParameter: { readonly value: object | undefined } | undefined;

  constructor(block: BlockOfTransaction, index: number) {
    this.block = block;
    this.index = index;
  }

  get position(): { readonly number: number; readonly index: number } {
    return { number: this.block.number, index: this.index };
  }

  get message(): Transaction {
    this.knownMessage ??= Transaction.decode(this.bytes);
    return this.knownMessage;
  }

  get id(): Uint8Array {
    return this.block.transactionId(this.index);
  }

  /** The decoded transaction, as the rules use it. */
  get decoded(): DecodedTransaction {
    this.knownDecoded ??= decodeTransaction(this.message);
    return this.knownDecoded;
  }

  /**
   * The parts of the transaction that API answers contain. Decodes only the first contract, and reads the id from the
   * log entry.
   */
  get shown(): ShownTransaction {
    const { contract: bytes, signature } = this.outline;
    const contract = bytes === undefined ? new TransactionContract() : TransactionContract.decode(bytes);
    return { id: this.id, contractType: contract.type, parameter: decodeParameter(contract) ?? {}, signature };
  }

  /** Fee limit of the transaction in SUN. */
  get feeLimit(): bigint {
    return this.knownMessage?.rawData?.feeLimit ?? this.outline.feeLimit;
  }

  get idHex(): string {
    this.knownIdHex ??= toHex(this.id);
    return this.knownIdHex;
  }

  /** The transaction in canonical encoding: `protocol.Transaction`. */
  get canonicalBytes(): Uint8Array {
    return canonical(Transaction, this.bytes);
  }

  private get bytes(): Uint8Array {
    return this.block.transactionBytes(this.index);
  }

  private get outline(): TransactionOutline {
    return TransactionOutline.of(this.bytes);
  }

  /** The receipt in canonical encoding: `protocol.TransactionInfo`; undefined for genesis. */
  get canonicalReceipt(): Uint8Array | undefined {
    return this.index < this.block.receiptCount ? this.block.canonicalReceipt(this.index) : undefined;
  }

  /** Receipt of the transaction; undefined for genesis. */
  get info(): TransactionInfo | undefined {
    return this.block.infoAt(this.index);
  }

  get internal(): readonly InternalTransaction[] {
    return this.block.internalAt(this.index);
  }

  get contract(): TransactionContract | undefined {
    return this.message.rawData?.contract[0];
  }

  /** The decoded contract parameter; undefined if it is malformed. */
  get parameter(): object | undefined {
    this.knownParameter ??= { value: this.contract && decodeParameter(this.contract) };
    return this.knownParameter.value;
  }
}
