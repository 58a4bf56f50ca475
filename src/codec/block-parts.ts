/**
 * Parts of a stored block. Each method reads only the part that it returns.
 * @throws an error of the store, when the data is corrupt
 */
export interface BlockParts {
  readonly transactionCount: number;
  readonly hasReceipts: boolean;
  /** Encoded size and total fee limit of the block; undefined for a block that was stored without them. */
  readonly sums: BlockSums | undefined;
  /** Size of the encoded block in bytes. `resultsSize` is the size of its encoded receipts. */
  readonly blockSize: number;
  readonly resultsSize: number;
  /** The block without its transactions, as encoded `protocol.Block`. */
  readonly header: Uint8Array;
  transactionId(index: number): Uint8Array;
  /** Returns a transaction as encoded `protocol.Transaction`. */
  transaction(index: number): Uint8Array;
  /** Returns the receipt of a transaction as encoded `protocol.TransactionInfo`. */
  receipt(index: number): Uint8Array;
  /**
   * Returns the total energy and the number of contract logs (events) of all receipts before an index. The index may be
   * at most the number of transactions.
   */
  sumBefore(index: number): ReceiptSum;
}

/**
 * Sums over the transactions of a block, for API answers. The block log stores these sums, because computing them
 * requires reading all transactions.
 */
export interface BlockSums {
  /** Size of the block in bytes if it is encoded canonically. The stored bytes may have another encoding. */
  readonly encodedSize: number;
  /** Sum of the fee limits of the transactions in SUN. Overflows like a Java long. */
  readonly feeLimits: bigint;
}

/** Total energy and total number of contract logs (events) of the receipts before an index. */
export interface ReceiptSum {
  readonly energy: bigint;
  readonly logs: number;
}
