/**
 * What this node can answer beyond the reference, whose answers stay where a switch is off. Section `tronicle.jsonrpc`
 */
export interface RpcFeatures {
  /** State at past heights. */
  readonly history: boolean;
  /** Block tags `finalized` and `safe`. */
  readonly finalityTags: boolean;
  readonly blockReceipts: boolean;
  /** What a reverted call returned, as data of the error. */
  readonly revertData: boolean;
  /** WebSocket with `eth_subscribe`. */
  readonly subscriptions: boolean;
  /** `debug_trace…`, `trace_…`. */
  readonly debug: boolean;
  /** What tools made for Ethereum need to read a chain: forms of answers, arguments, methods. */
  readonly ethereum: boolean;
}

/** As the reference answers. */
export const NO_FEATURES: RpcFeatures = {
  history: false,
  finalityTags: false,
  blockReceipts: false,
  revertData: false,
  subscriptions: false,
  debug: false,
  ethereum: false,
};

/** Features as they are served: tools of Ethereum ask for past state, tags of finality, receipts and reverts. */
export function servedFeatures(configured: RpcFeatures): RpcFeatures {
  if (!configured.ethereum) return configured;
  return { ...configured, history: true, finalityTags: true, blockReceipts: true, revertData: true };
}
