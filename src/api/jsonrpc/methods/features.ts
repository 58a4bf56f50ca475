/**
 * Optional features beyond java-tron (section `tronicle.jsonrpc`). With a feature off, responses equal java-tron's.
 */
export interface RpcFeatures {
  /** Allows state at past heights. */
  readonly history: boolean;
  /** Enables the block tags `finalized` and `safe`. */
  readonly finalityTags: boolean;
  readonly blockReceipts: boolean;
  /** Returns the output of a reverted call as data of the error. */
  readonly revertData: boolean;
  /** Enables WebSocket with `eth_subscribe`. */
  readonly subscriptions: boolean;
  /** Enables `debug_trace…` and `trace_…`. */
  readonly debug: boolean;
  /** Enables response forms, arguments and methods that Ethereum tools need. */
  readonly ethereum: boolean;
}

/** All features off. */
export const NO_FEATURES: RpcFeatures = {
  history: false,
  finalityTags: false,
  blockReceipts: false,
  revertData: false,
  subscriptions: false,
  debug: false,
  ethereum: false,
};

/** Returns the effective features. `ethereum` also enables history, finality tags, block receipts and revert data. */
export function servedFeatures(configured: RpcFeatures): RpcFeatures {
  if (!configured.ethereum) return configured;
  return { ...configured, history: true, finalityTags: true, blockReceipts: true, revertData: true };
}
