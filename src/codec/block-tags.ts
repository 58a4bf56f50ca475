/**
 * Tags by which the parts of a block are found in its bytes: number of the field × 8 and its wire type, by the names of
 * the properties. For those who make no message of it, and may not load the schemas, as threads that find signatures; a
 * test compares them.
 */
export const BLOCK_TAGS = { transactions: 10, blockHeader: 18 } as const;
export const TRANSACTION_TAGS = { rawData: 10, signature: 18 } as const;
export const RAW_TAGS = { contract: 90, feeLimit: 144 } as const;
export const CONTRACT_TAGS = { type: 8, parameter: 18 } as const;
export const RESULTS_TAGS = { transactioninfo: 26 } as const;
export const INFO_TAGS = { receipt: 58, log: 66 } as const;
export const RECEIPT_TAGS = { energyUsageTotal: 32 } as const;
export const ANY_TAGS = { typeUrl: 10, value: 18 } as const;
