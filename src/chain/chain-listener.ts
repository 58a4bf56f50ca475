import type { TransactionRet } from '../codec/generated/messages.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { RejectedBlock } from './rejected-blocks.js';

/** What listeners hear of the chain: a block joined it, or was taken back. */
export interface ChainListener {
  applied?(block: DecodedBlock, results: TransactionRet): void;
  reverted?(block: DecodedBlock): void;
  /** A block came; it may be known, or be refused. */
  offered?(block: DecodedBlock): void;
  /** A longer branch is followed, or could not be. */
  forked?(hasFailed: boolean): void;
  /** A longer branch was followed to its end: its blocks, oldest first. */
  switched?(branch: readonly DecodedBlock[]): void;
  /** A block that its witness signed was refused: its result is another one here. */
  differs?(report: RejectedBlock): void;
  /** The network goes on on a block that was refused here: the node must stop, for the reason given. */
  leftBehind?(reason: string): void;
  /** The network is leaving the release that this node is: a sentence for the operator. */
  outdated?(warning: string): void;
}

/** How long what the chain does takes, in seconds. */
export interface ChainStopwatch {
  /** A block was pushed onto the head. */
  pushed(seconds: number): void;
  /** A block was made here. @param miner 21 bytes @param delaySeconds from the begin of its slot */
  produced(miner: Uint8Array, seconds: number, delaySeconds: number): void;
  /** Signatures of a block were checked. */
  signed(seconds: number): void;
  /** A block's transaction was executed. */
  executed(transaction: DecodedTransaction, seconds: number): void;
}
