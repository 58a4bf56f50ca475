import { INFO_TAGS, RAW_TAGS, RECEIPT_TAGS, TRANSACTION_TAGS } from './block-tags.js';
import { Reader } from './reader.js';

/** Energy and number of logs of one receipt, read from its bytes without decoding the other fields. */
export class ReceiptFigures {
  /** Energy that the transaction used, whether paid from stake or by fee. */
  energy = 0n;
  /** Number of contract logs (events). */
  logs = 0;
  $unknown: Uint8Array | undefined;

  /** Reads a receipt. @param bytes encoded `protocol.TransactionInfo` @throws {ProtobufError} malformed bytes */
  static of(bytes: Uint8Array): ReceiptFigures {
    return Reader.decode<ReceiptFigures>(bytes, ReceiptFigures);
  }

  static read(reader: Reader, end: number, figures: ReceiptFigures): ReceiptFigures {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === INFO_TAGS.receipt) figures.readReceipt(reader);
      else reader.skip(tag);
      if (tag === INFO_TAGS.log) figures.logs++;
    }
    return figures;
  }

  private readReceipt(reader: Reader): void {
    const end = reader.begin();
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === RECEIPT_TAGS.energyUsageTotal) this.energy = reader.int64();
      else reader.skip(tag);
    }
    reader.end(end);
  }
}

/** Parts of a transaction, read from its bytes without decoding the other fields. */
export class TransactionOutline {
  /** Fee limit of the transaction in SUN. */
  feeLimit = 0n;
  /** The first contract, as encoded `protocol.Transaction.Contract`. Undefined for a transaction without contracts. */
  contract: Uint8Array | undefined;
  /** The first signature; undefined for a transaction without signatures. */
  signature: Uint8Array | undefined;
  $unknown: Uint8Array | undefined;

  /** Reads a transaction. @param bytes encoded `protocol.Transaction` @throws {ProtobufError} malformed bytes */
  static of(bytes: Uint8Array): TransactionOutline {
    return Reader.decode<TransactionOutline>(bytes, TransactionOutline);
  }

  static read(reader: Reader, end: number, outline: TransactionOutline): TransactionOutline {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === TRANSACTION_TAGS.rawData) outline.readRaw(reader);
      else if (tag === TRANSACTION_TAGS.signature && outline.signature === undefined)
        outline.signature = reader.bytes();
      else reader.skip(tag);
    }
    return outline;
  }

  private readRaw(reader: Reader): void {
    const end = reader.begin();
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === RAW_TAGS.feeLimit) this.feeLimit = reader.int64();
      else if (tag === RAW_TAGS.contract && this.contract === undefined) this.contract = reader.bytes();
      else reader.skip(tag);
    }
    reader.end(end);
  }
}
