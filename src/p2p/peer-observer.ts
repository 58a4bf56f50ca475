import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { RejectReason } from './p2p-error.js';
import type { MessageName } from './wire/message-types.js';
import type { Reason } from './wire/messages.js';

/** Which way bytes went, and over what. */
export type TrafficKind = 'tcpIn' | 'tcpOut' | 'udpIn' | 'udpOut';

/** Who counts what happens between this node and its peers. Nothing here may throw. */
export interface PeerObserver {
  bytes(kind: TrafficKind, count: number): void;
  /** This node ended a connection and said why. */
  disconnected(reason: Reason): void;
  /** A message, or what was in it, was refused. @param isUnreadable there was no message of its type in the bytes */
  refused(refusal: RejectReason, isUnreadable: boolean): void;
  /** All work on a message is done. */
  handled(type: MessageName, ms: number): void;
  /** An announced block came. @param delayMs since its time; @param fetchMs since it was asked for */
  blockCame(delayMs: number, fetchMs: number | undefined): void;
  /** An announced block is about to be executed. */
  blockArrives(block: DecodedBlock): void;
  /** A block of a peer was executed. @param isSynced it was asked for by a sync */
  blockTaken(seconds: number, isSynced: boolean): void;
  /** A block of a peer was refused by the rules of the chain. */
  blockFailed(number: number, reason: string): void;
}
