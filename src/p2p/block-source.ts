/** Where blocks come from: a peer, a file, a log topic. Pulled, so that the chain sets the pace. */
export interface BlockSource {
  /** Blocks in the order in which their parents become known, from the one after `fromNumber` on; ends with the source. */
  blocks(fromNumber: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
