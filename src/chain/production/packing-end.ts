import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

interface Packing {
  /** Start of the slot and start of production, in ms of the node's clock. */
  readonly slotMs: number;
  readonly begunMs: number;
  /** Packing time in percent of the first half of the slot. `node.blockProducedTimeOut` */
  readonly percent: number;
  /** Speed of the clock relative to the machine's clock. */
  readonly speed: number;
}

/**
 * Returns the time in ms when packing ends. It does not depend on the start of production, so after a late start the
 * block is smaller but on time. With an accelerated clock, packing always gets its full time, because a late start is
 * then caused by the machine. Reference: DposTask.produceBlock.
 */
export function packingEnd({ slotMs, begunMs, percent, speed }: Packing): number {
  const fromMs = speed > 1 ? Math.max(slotMs, begunMs) : slotMs;
  return fromMs + (SLOT_MS / 2) * (percent / 100);
}
