import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

interface Packing {
  /** Start of the slot and start of production, in ms of the node's clock. */
  readonly slotMs: number;
  readonly begunMs: number;
  /** Percentage of the first half of the slot. `node.blockProducedTimeOut` */
  readonly percent: number;
  /** Speed of the clock relative to the machine's clock. */
  readonly speed: number;
}

/**
 * Returns the time in ms when packing ends. A late start makes a smaller block, which is still on time.
 * Reference: DposTask.produceBlock. With an accelerated clock, the machine is late and not the block. Packing then gets
 * its full time.
 */
export function packingEnd({ slotMs, begunMs, percent, speed }: Packing): number {
  const fromMs = speed > 1 ? Math.max(slotMs, begunMs) : slotMs;
  return fromMs + (SLOT_MS / 2) * (percent / 100);
}
