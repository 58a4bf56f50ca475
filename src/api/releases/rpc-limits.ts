/**
 * Limits of JSON-RPC. 0 means no limit. Reference: section `node.jsonrpc` of the configuration, from release 4.7.6 on.
 */
export interface RpcLimits {
  /** Maximum number of blocks that a log query may cover. */
  readonly maxBlockRange: number;
  /** Maximum number of topics per position in a filter. */
  readonly maxSubTopics: number;
  /** Maximum number of addresses in a filter. */
  readonly maxAddressSize: number;
  /** Maximum number of log filters on a port. */
  readonly maxLogFilterNum: number;
  /** Maximum number of block filters on a port. */
  readonly maxBlockFilterNum: number;
  /** Maximum number of calls in a request. */
  readonly maxBatchSize: number;
  /** Maximum size of a response, in bytes. */
  readonly maxResponseSize: number;
}

/** Values for release 4.7.2, which has no limits of JSON-RPC. */
export const NO_RPC_LIMITS: RpcLimits = {
  maxBlockRange: 0,
  maxSubTopics: 0,
  maxAddressSize: 0,
  maxLogFilterNum: 0,
  maxBlockFilterNum: 0,
  maxBatchSize: 0,
  maxResponseSize: 0,
};
