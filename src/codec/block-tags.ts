/**
 * Tags of the parts of a block (field number × 8 + wire type), by property name. Used by code that reads a block
 * without decoding it and without loading the schemas, such as signature threads. A test compares these tags with the
 * schema.
 */
export const BLOCK_TAGS = { transactions: 10, blockHeader: 18 } as const;
export const TRANSACTION_TAGS = { rawData: 10, signature: 18 } as const;
export const RAW_TAGS = { contract: 90, feeLimit: 144 } as const;
export const CONTRACT_TAGS = { type: 8, parameter: 18 } as const;
export const RESULTS_TAGS = { transactioninfo: 26 } as const;
export const INFO_TAGS = { receipt: 58, log: 66 } as const;
export const RECEIPT_TAGS = { energyUsageTotal: 32 } as const;
export const ANY_TAGS = { typeUrl: 10, value: 18 } as const;
