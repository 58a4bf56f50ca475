/** Parts of a stored block. Each method reads only what it returns. @throws the error of the store for corrupt data */
export interface BlockParts {
  readonly transactionCount: number;
  readonly hasReceipts: boolean;
  /** Sums over the transactions; undefined for a block that was stored without them. */
  readonly sums: BlockSums | undefined;
  /** Size of `block` and of `results` in bytes. */
  readonly blockSize: number;
  readonly resultsSize: number;
  /** The block without its transactions: `protocol.Block`. */
  readonly header: Uint8Array;
  transactionId(index: number): Uint8Array;
  /** Returns a transaction: the bytes of `protocol.Transaction`. */
  transaction(index: number): Uint8Array;
  /** Returns the receipt of a transaction: the bytes of `protocol.TransactionInfo`. */
  receipt(index: number): Uint8Array;
  /**
   * Returns the energy used and the number of event logs of all receipts before an index. The index may be the
   * transaction count.
   */
  sumBefore(index: number): ReceiptSum;
}

/**
 * Sums over the transactions of a block that API answers contain. Computing them reads all transactions, so the log
 * stores them.
 */
export interface BlockSums {
  /** Size of the block in bytes if it is encoded canonically. The stored bytes can have another encoding. */
  readonly encodedSize: number;
  /** Sum of the fee limits of the transactions in SUN, as a Java long. */
  readonly feeLimits: bigint;
}

/** Sums over the receipts of a block up to an index. */
export interface ReceiptSum {
  readonly energy: bigint;
  readonly logs: number;
}
