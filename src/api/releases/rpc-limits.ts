/** Limits of JSON-RPC; 0 disables a limit. Reference: section `node.jsonrpc`, from 4.7.6. */
export interface RpcLimits {
  /** Maximum number of blocks in a log query. */
  readonly maxBlockRange: number;
  /** Maximum number of topics per position, and of addresses, in a filter. */
  readonly maxSubTopics: number;
  readonly maxAddressSize: number;
  /** Maximum number of filters on a port. */
  readonly maxLogFilterNum: number;
  readonly maxBlockFilterNum: number;
  /** Maximum number of calls in a request. */
  readonly maxBatchSize: number;
  /** Maximum size of a response, in bytes. */
  readonly maxResponseSize: number;
}

/** Limits of release 4.7.2, which has none. */
export const NO_RPC_LIMITS: RpcLimits = {
  maxBlockRange: 0,
  maxSubTopics: 0,
  maxAddressSize: 0,
  maxLogFilterNum: 0,
  maxBlockFilterNum: 0,
  maxBatchSize: 0,
  maxResponseSize: 0,
};
