/** Parts of a stored block. Each method reads only what it returns. @throws the error of the store for corrupt data */
export interface BlockParts {
  readonly transactionCount: number;
  readonly hasReceipts: boolean;
  /** Size of `block` and of `results` in bytes. */
  readonly blockSize: number;
  readonly resultsSize: number;
  /** The block without its transactions: `protocol.Block`. */
  readonly header: Uint8Array;
  transactionId(index: number): Uint8Array;
  /** `protocol.Transaction` */
  transaction(index: number): Uint8Array;
  /** `protocol.TransactionInfo` */
  receipt(index: number): Uint8Array;
  /** Energy used and event logs of all receipts before an index, which may be the transaction count. */
  sumBefore(index: number): ReceiptSum;
}

/** Sums over the receipts of a block up to an index. */
export interface ReceiptSum {
  readonly energy: bigint;
  readonly logs: number;
}
