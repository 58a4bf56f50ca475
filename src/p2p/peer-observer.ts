import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { RejectReason } from './p2p-error.js';
import type { MessageName } from './wire/message-types.js';
import type { Reason } from './wire/messages.js';

/** Protocol and direction of counted bytes. */
export type TrafficKind = 'tcpIn' | 'tcpOut' | 'udpIn' | 'udpOut';

/** Collects metrics of the traffic between this node and its peers. Its methods must not throw. */
export interface PeerObserver {
  bytes(kind: TrafficKind, count: number): void;
  /** Called when this node ended a connection and sent a reason. */
  disconnected(reason: Reason): void;
  /** Called when a message was rejected. @param isUnreadable true if the bytes could not be decoded as a message */
  refused(refusal: RejectReason, isUnreadable: boolean): void;
  /** Called when all work on a message is done. */
  handled(type: MessageName, ms: number): void;
  /**
   * Called when an announced block was received.
   * @param delayMs time from the block time to now, in ms
   * @param fetchMs time since this node requested the block, in ms; undefined without a request
   */
  blockReceived(delayMs: number, fetchMs: number | undefined): void;
  /** Called before an announced block is executed. */
  blockArrives(block: DecodedBlock): void;
  /** Called after a block of a peer was executed. @param isSynced true if a sync requested the block */
  blockAccepted(seconds: number, isSynced: boolean): void;
  /** Called when the rules of the chain rejected a block of a peer. */
  blockFailed(number: number, reason: string): void;
}
