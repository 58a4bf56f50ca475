/** Bounds of JSON-RPC; 0 is none. Reference: section `node.jsonrpc`, from 4.7.6 on. */
export interface RpcLimits {
  /** Blocks between the ends of a query for logs. */
  readonly maxBlockRange: number;
  /** Topics at one place, and addresses, of a filter. */
  readonly maxSubTopics: number;
  readonly maxAddressSize: number;
  /** Filters of a port. */
  readonly maxLogFilterNum: number;
  readonly maxBlockFilterNum: number;
  /** Calls in one request. */
  readonly maxBatchSize: number;
  /** Bytes of an answer. */
  readonly maxResponseSize: number;
}

/** As release 4.7.2, which knows none of them. */
export const NO_RPC_LIMITS: RpcLimits = {
  maxBlockRange: 0,
  maxSubTopics: 0,
  maxAddressSize: 0,
  maxLogFilterNum: 0,
  maxBlockFilterNum: 0,
  maxBatchSize: 0,
  maxResponseSize: 0,
};
