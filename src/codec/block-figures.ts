import { INFO_TAGS, RAW_TAGS, RECEIPT_TAGS, TRANSACTION_TAGS } from './block-tags.js';
import { Reader } from './reader.js';

/** Numbers of one receipt, read from its bytes without decoding the rest. */
export class ReceiptFigures {
  /** Energy that the transaction used, from all sources. */
  energy = 0n;
  /** Number of event logs. */
  logs = 0;
  $unknown: Uint8Array | undefined;

  /** Reads a receipt. @param bytes `protocol.TransactionInfo` @throws {ProtobufError} malformed bytes */
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

/** The fee limit of a transaction, read from its bytes without decoding the rest. */
export class TransactionFigures {
  /** Fee limit of the transaction in SUN. */
  feeLimit = 0n;
  $unknown: Uint8Array | undefined;

  /** Reads a transaction. @param bytes `protocol.Transaction` @throws {ProtobufError} malformed bytes */
  static of(bytes: Uint8Array): TransactionFigures {
    return Reader.decode<TransactionFigures>(bytes, TransactionFigures);
  }

  static read(reader: Reader, end: number, figures: TransactionFigures): TransactionFigures {
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === TRANSACTION_TAGS.rawData) figures.readRaw(reader);
      else reader.skip(tag);
    }
    return figures;
  }

  private readRaw(reader: Reader): void {
    const end = reader.begin();
    while (reader.position < end) {
      const tag = reader.tag();
      if (tag === RAW_TAGS.feeLimit) this.feeLimit = reader.int64();
      else reader.skip(tag);
    }
    reader.end(end);
  }
}
