import { toHex } from '../../primitives/bytes.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

/**
 * ms for which no block is produced once a twin was seen: all slots of a full round.
 * Reference: StateManager.blockCycle.
 */
const BACK_OFF_MS = SLOT_MS * 27;

/** Another node that produces with a witness key of this one. Reference: StateManager.receiveBlock, isDupWitness. */
export class DuplicateWitnessDetector {
  private ownId: string | undefined;
  private seenMs: number | undefined;
  private hasSeen = false;

  /** This node made a block. */
  made({ id }: DecodedBlock): void {
    this.ownId = toHex(id);
  }

  /**
   * A block of a witness of this node came from elsewhere. Of two twins the one whose last block has the lower id backs
   * off.
   * @param isMaster a slave expects the blocks of its master
   * @returns whether it is a twin's
   */
  came({ idHex, timeMs }: DecodedBlock, nowMs: number, isMaster: boolean): boolean {
    if (idHex === this.ownId || nowMs - timeMs > SLOT_MS) return false;
    if (!isMaster) {
      this.hasSeen = true;
      return false;
    }
    if (this.ownId !== undefined && this.ownId > idHex) return false;
    this.hasSeen = true;
    this.seenMs = nowMs;
    return true;
  }

  /** Nothing is to be produced. */
  isBackingOff(nowMs: number): boolean {
    if (!this.hasSeen) return false;
    this.hasSeen = nowMs - (this.seenMs ?? 0) <= BACK_OFF_MS;
    return this.hasSeen;
  }
}
