interface Packing {
  /** Start of the slot, in ms of the node's clock. */
  readonly startMs: number;
  /** Start of production, in ms of the node's clock. */
  readonly productionStartMs: number;
  /** Length of a slot, in ms. */
  readonly slotMs: number;
  /** Packing time as a percentage of the first half of the slot. Set by `node.blockProducedTimeOut`. */
  readonly percent: number;
  /** True if packing always gets its full time. If false, packing ends at a fixed time after the start of the slot. */
  readonly hasFullTime: boolean;
}

/**
 * Returns the time in ms at which packing ends. Normally, packing ends at a fixed time after the start of the slot, so
 * a late start makes the block smaller, but not later. If production starts late and `hasFullTime` is true, the packing
 * time starts at `productionStartMs`. Reference: DposTask.produceBlock.
 */
export function packingEnd({ startMs, productionStartMs, slotMs, percent, hasFullTime }: Packing): number {
  const fromMs = hasFullTime ? Math.max(startMs, productionStartMs) : startMs;
  return fromMs + (slotMs / 2) * (percent / 100);
}
