import type { TransactionRet } from '../codec/generated/messages.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { RejectedBlock } from './rejected-blocks.js';

/** Callbacks for changes of the chain, and for situations in which the node must act. */
export interface ChainListener {
  applied?(block: DecodedBlock, results: TransactionRet): void;
  reverted?(block: DecodedBlock): void;
  /** Called when a block arrived. The block may be known already, and may still be rejected. */
  offered?(block: DecodedBlock): void;
  /** Called with false when a reorg to a longer branch starts, and with true when the reorg has failed. */
  forked?(hasFailed: boolean): void;
  /**
   * Called when this node rejected a block with a valid witness signature. Not called if the block violates the witness
   * schedule.
   */
  differs?(report: RejectedBlock): void;
  /**
   * Called when this node can no longer follow the network: more than 70 % of the witnesses built on a block that this
   * node rejected, or the network probably uses rules of an unknown release. The node must stop.
   * @param reason text for the operator
   */
  outdated?(reason: string): void;
  /**
   * Called when the network uses a newer release than the emulated one. @param warning one sentence for the operator
   */
  newerRelease?(warning: string): void;
}

/** Receives the durations of chain operations, in seconds. */
export interface ChainStopwatch {
  /** Called after a block was imported on the head. */
  pushed(seconds: number): void;
  /**
   * Called after this node produced a block, before the import of the block.
   * @param miner 21 bytes
   * @param delaySeconds time from the start of the slot to the start of production; negative if production started
   * earlier
   */
  produced(miner: Uint8Array, seconds: number, delaySeconds: number): void;
  /** Called after the signatures of a block were verified. */
  signed(seconds: number): void;
  /** Called after one transaction of a block was executed. */
  executed(transaction: DecodedTransaction, seconds: number): void;
}
