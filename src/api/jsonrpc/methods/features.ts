/**
 * Optional features that java-tron does not have (section `tronicle.jsonrpc`). While a feature is off, responses equal
 * java-tron's.
 */
export interface RpcFeatures {
  /** True if methods may read the state at past heights. */
  readonly history: boolean;
  /** True if the block tags `finalized` and `safe` are accepted. */
  readonly finalityTags: boolean;
  readonly blockReceipts: boolean;
  /** True if the error of a reverted call contains the output of the call as its data. */
  readonly revertData: boolean;
  /** True if WebSocket connections with `eth_subscribe` are accepted. */
  readonly subscriptions: boolean;
  /** True if the methods `debug_trace…` and `trace_…` are available. */
  readonly debug: boolean;
  /** True if responses, arguments and methods have the form that Ethereum tools expect. */
  readonly ethereum: boolean;
}

/** Configuration with all features off. */
export const NO_FEATURES: RpcFeatures = {
  history: false,
  finalityTags: false,
  blockReceipts: false,
  revertData: false,
  subscriptions: false,
  debug: false,
  ethereum: false,
};

/** Returns the features to serve. `ethereum` also enables history, finality tags, block receipts and revert data. */
export function servedFeatures(configured: RpcFeatures): RpcFeatures {
  if (!configured.ethereum) return configured;
  return { ...configured, history: true, finalityTags: true, blockReceipts: true, revertData: true };
}
