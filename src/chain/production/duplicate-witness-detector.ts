import { toHex } from '../../primitives/bytes.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { SLOT_MS } from '../../state-transition/consensus/schedule.js';

/**
 * Time in ms for which no block is produced after another node with the same witness key was detected: 27 slots.
 * Reference: StateManager.blockCycle.
 */
const BACK_OFF_MS = SLOT_MS * 27;

/** Detects another node that produces with the same witness key. Reference: StateManager.receiveBlock, isDupWitness. */
export class DuplicateWitnessDetector {
  private ownId: string | undefined;
  private seenMs: number | undefined;
  private hasSeen = false;

  /** Records a block that this node produced. */
  produced({ id }: DecodedBlock): void {
    this.ownId = toHex(id);
  }

  /**
   * Checks a block of a peer that was signed with a key of this node. If two nodes have the same key, the node whose
   * last block has the lower id stops producing for a while. A node that has not produced a block yet stops too.
   * @param isMaster false for a backup slave, which expects blocks of its master
   * @returns true if production must pause because of this block
   */
  received({ idHex, timeMs }: DecodedBlock, nowMs: number, isMaster: boolean): boolean {
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

  /** Returns true while production must pause, because another node produces with the same witness key. */
  isBackingOff(nowMs: number): boolean {
    if (!this.hasSeen) return false;
    this.hasSeen = nowMs - (this.seenMs ?? 0) <= BACK_OFF_MS;
    return this.hasSeen;
  }
}
