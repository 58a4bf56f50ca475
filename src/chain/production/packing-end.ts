import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

interface Packing {
  /** Start of the slot and start of production, in ms of the node's clock. */
  readonly slotMs: number;
  readonly begunMs: number;
  /** Packing time in percent of the first half of the slot. `node.blockProducedTimeOut` */
  readonly percent: number;
  /** True: a late start leaves less time. False: packing gets its full time however late it starts. */
  readonly isLateStartCounted: boolean;
}

/**
 * Returns the time in ms when packing ends. On a public network a late start counts, so that the block is smaller but
 * on time. It does not count with an accelerated clock, where the machine causes the delay, or if the block was ordered
 * by `evm_mine`: a transaction taken from the mempool when the time is up would be lost. Reference:
 * DposTask.produceBlock.
 */
export function packingEnd({ slotMs, begunMs, percent, isLateStartCounted }: Packing): number {
  const fromMs = isLateStartCounted ? slotMs : Math.max(slotMs, begunMs);
  return fromMs + (SLOT_MS / 2) * (percent / 100);
}
