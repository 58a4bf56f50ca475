import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { RejectReason } from './p2p-error.js';
import type { MessageName } from './wire/message-types.js';
import type { Reason } from './wire/messages.js';

/** Protocol and direction of counted bytes. */
export type TrafficKind = 'tcpIn' | 'tcpOut' | 'udpIn' | 'udpOut';

/** Collects metrics of the traffic between this node and its peers. Its methods must not throw. */
export interface PeerObserver {
  bytes(kind: TrafficKind, count: number): void;
  /** This node ended a connection and sent a reason. */
  disconnected(reason: Reason): void;
  /** A message or its content was rejected. @param isUnreadable the bytes could not be decoded as a message */
  refused(refusal: RejectReason, isUnreadable: boolean): void;
  /** All work on a message is done. */
  handled(type: MessageName, ms: number): void;
  /** An announced block was received. @param delayMs age of the block; @param fetchMs time since the request */
  blockCame(delayMs: number, fetchMs: number | undefined): void;
  /** An announced block will be executed next. */
  blockArrives(block: DecodedBlock): void;
  /** A block of a peer was executed. @param isSynced it was requested by a sync */
  blockTaken(seconds: number, isSynced: boolean): void;
  /** A block of a peer was rejected by the rules of the chain. */
  blockFailed(number: number, reason: string): void;
}
