import type { TransactionRet } from '../codec/generated/messages.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { RejectedBlock } from './rejected-blocks.js';

/** Callbacks for changes of the chain: a block was applied or reverted, or the node must act. */
export interface ChainListener {
  applied?(block: DecodedBlock, results: TransactionRet): void;
  reverted?(block: DecodedBlock): void;
  /** A block arrived. It may be known already, and it may still be rejected. */
  offered?(block: DecodedBlock): void;
  /** A reorg to a longer branch starts, or has failed. */
  forked?(hasFailed: boolean): void;
  /** A reorg is complete. @param branch the new canonical blocks, oldest first */
  switched?(branch: readonly DecodedBlock[]): void;
  /** A block with a valid witness signature was rejected, because its execution here had another result. */
  differs?(report: RejectedBlock): void;
  /**
   * The network continues on a block that this node rejected. The node must stop. @param reason text for the operator
   */
  leftBehind?(reason: string): void;
  /** The network uses a newer release than the emulated one. @param warning one sentence for the operator */
  outdated?(warning: string): void;
}

/** Receives the durations of chain operations, in seconds. */
export interface ChainStopwatch {
  /** A block was imported on the head. */
  pushed(seconds: number): void;
  /** This node produced a block. @param miner 21 bytes @param delaySeconds time since the start of the slot */
  produced(miner: Uint8Array, seconds: number, delaySeconds: number): void;
  /** The signatures of a block were verified. */
  signed(seconds: number): void;
  /** One transaction of a block was executed. */
  executed(transaction: DecodedTransaction, seconds: number): void;
}
