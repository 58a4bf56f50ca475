import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

interface Packing {
  /** Time of the slot, and when its block was begun, ms of the node's clock. */
  readonly slotMs: number;
  readonly begunMs: number;
  /** Percent of the time until the middle of a slot. `node.blockProducedTimeOut` */
  readonly percent: number;
  /** How many times as fast as the machine's the clock runs. */
  readonly speed: number;
}

/**
 * When nothing more is packed, ms: who begins late makes a smaller block, so that it still comes in time. Reference:
 * DposTask.produceBlock. A clock that was told to run faster has made this machine late, not the block: packing has its
 * whole time then.
 */
export function packingEnd({ slotMs, begunMs, percent, speed }: Packing): number {
  const fromMs = speed > 1 ? Math.max(slotMs, begunMs) : slotMs;
  return fromMs + (SLOT_MS / 2) * (percent / 100);
}
