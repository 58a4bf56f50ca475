import { HelloMessage, PBFTCommitResult } from '../codec/generated/messages.js';
import { ProtobufError } from '../codec/reader.js';
import { itemAt } from '../primitives/assert.js';
import { errorText } from '../primitives/errors.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import type { Advertiser } from './inventory/advertiser.js';
import type { ItemServer } from './inventory/item-server.js';
import type { TransactionIntake } from './inventory/transaction-intake.js';
import { P2pError, type RejectReason, rejectReasonIn } from './p2p-error.js';
import type { Proofs } from './pbft/proofs.js';
import type { VoteGate } from './pbft/vote-gate.js';
import { inPortions, type PeerSlices, type Steps } from './peer-slices.js';
import type { IdleClock } from './peers/idle-clock.js';
import { ITEMS_MAX, itemKey, type Peer } from './peers/peer.js';
import { BlockReceiver, type BlockReceiverParts } from './receive/block-receiver.js';
import { readGossipedTransaction, reading, readTransactions } from './receive/read-messages.js';
import { serveChainIds } from './sync/serve-chain.js';
import type { Channel } from './transport/channel.js';
import { type BlockId, blockIdOfHex } from './wire/block-id.js';
import { fieldChunks } from './wire/field-chunks.js';
import { type MessageName, messageName, WireMessageType } from './wire/message-types.js';
import {
  decodeChainIds,
  decodeDisconnect,
  decodeSyncRequest,
  encodePong,
  itemsInSteps,
  type ReadItemList,
  type Reason,
} from './wire/messages.js';

/** Time window for the rate of announced transactions, in seconds. */
const RATE_SECONDS = 10;

/**
 * Number of decoded bytes after which the decoding of a transactions message may pause. A pause is possible only after
 * a complete transaction. An encoded transaction has at least two bytes, so a slice decodes about 1,024 transactions at
 * most.
 */
const TRANSACTIONS_CHUNK_BYTES = 2048;

export interface RouterParts extends BlockReceiverParts {
  readonly advertiser: Advertiser;
  readonly server: ItemServer;
  readonly intake: TransactionIntake;
  readonly votes: VoteGate;
  /** Storage of PBFT proofs. If undefined, proofs are decoded and dropped. */
  readonly proofs: Proofs | undefined;
  /** `node.maxTps`: maximum number of transactions that a peer may announce per second. */
  readonly transactionsMax: number;
  readonly hello: (peer: Peer, hello: HelloMessage) => void;
  readonly waitClock: IdleClock;
  readonly turns: PeerSlices;
}

/** Dispatches each message to its handler. Reference: P2pEventHandlerImpl. */
export class MessageRouter {
  private readonly parts: RouterParts;
  private readonly blocks: BlockReceiver;
  private readonly handlers: Readonly<Record<MessageName, (peer: Peer, body: Uint8Array) => void | Promise<void>>> = {
    P2P_HELLO: (peer, body) => this.parts.hello(peer, HelloMessage.decode(body)),
    P2P_DISCONNECT: (peer, body) => this.disconnected(peer, decodeDisconnect(body)),
    P2P_PING: (peer) => peer.send(encodePong()),
    P2P_PONG: () => undefined,
    SYNC_BLOCK_CHAIN: (peer, body) => this.summary(peer, decodeSyncRequest(body)),
    BLOCK_CHAIN_INVENTORY: (peer, body) => this.parts.sync.receiveIds(peer, decodeChainIds(body)),
    INVENTORY: (peer, body) => this.inTurns(peer, this.inventory(peer, body)),
    FETCH_INV_DATA: (peer, body) => this.inTurns(peer, this.fetched(peer, body)),
    BLOCK: (peer, body) => this.inTurns(peer, this.blocks.take(peer, body)),
    TRXS: (peer, body) => this.inTurns(peer, this.transactions(peer, body)),
    PBFT_COMMIT_MSG: (peer, body) => this.inTurns(peer, this.proof(body)),
    PBFT_MSG: (peer, body) => this.parts.votes.take(peer, body),
  };

  constructor(parts: RouterParts) {
    this.parts = parts;
    this.blocks = new BlockReceiver(parts);
  }

  /** Handles a message of a connection. Ignores the message if the connection no longer belongs to a peer. */
  readonly receive = (channel: Channel, bytes: Uint8Array): void | Promise<void> => {
    const peer = this.parts.peers.of(channel);
    return peer && this.take(peer, bytes);
  };

  /** Handles a message of a peer. Does not throw: an error disconnects the peer. @param bytes type and protobuf */
  take(peer: Peer, bytes: Uint8Array): void | Promise<void> {
    const started = performance.now();
    const name = messageName(typeOf(bytes));
    const done = (): void => {
      if (name !== undefined) this.parts.observer.handled(name, performance.now() - started);
    };
    try {
      const handled = this.parts.waitClock.during(() => this.dispatch(peer, bytes));
      if (handled !== undefined) {
        return handled
          .then(() => this.noteUse(peer, bytes))
          .catch((error: unknown) => this.failed(peer, bytes, error))
          .finally(done);
      }
      this.noteUse(peer, bytes);
    } catch (error) {
      this.failed(peer, bytes, error);
    }
    done();
  }

  private dispatch(peer: Peer, bytes: Uint8Array): void | Promise<void> {
    const name = messageName(typeOf(bytes));
    if (name === undefined) {
      // Decodes the transaction first, because a decoding error has another disconnect reason than an unknown type.
      // Reference: TronMessageFactory.create.
      if (typeOf(bytes) === SINGLE_TRANSACTION && bytes.length <= SHORT_BYTES_MAX)
        reading(readGossipedTransaction, bytes.subarray(1), this.parts.chain.isFiltered);
      throw new P2pError('NO_SUCH_MESSAGE', `type=${typeOf(bytes)}, len=${bytes.length - 1}`);
    }
    if (bytes.length > SHORT_BYTES_MAX && SHORT.has(name))
      throw new P2pError('BAD_MESSAGE', `type=${name}, len=${bytes.length}`);
    peer.channel.share.begin(partOf(name, peer));
    return this.handlers[name](peer, bytes.subarray(1));
  }

  /**
   * If the message type is in USEFUL, records the time. The idle time of the connection then starts again. Reference:
   * P2pEventHandlerImpl.updateLastInteractiveTime.
   */
  private noteUse(peer: Peer, bytes: Uint8Array): void {
    if (USEFUL.has(typeOf(bytes))) peer.usefulMs = this.parts.now();
  }

  private failed(peer: Peer, bytes: Uint8Array, error: unknown): void {
    const refusal = refusalOf(error);
    if (refusal !== undefined) this.parts.observer.refused(refusal, UNREADABLE.has(refusal));
    const type = typeOf(bytes);
    const reason = type === WireMessageType.PBFT_MSG ? 'BAD_PROTOCOL' : this.reasonOf(error);
    const fields = { peer: peer.channel.key, type: messageName(type) ?? type, reason };
    if (rejectReasonIn(error, 'BAD_MESSAGE') === undefined)
      this.parts.log.error({ ...fields, err: error }, 'unexpected error in the handling of a message');
    else this.parts.log.info({ ...fields, text: errorText(error) }, 'message rejected');
    peer.disconnect(reason);
  }

  /** Returns the disconnect reason for an error. Reference: P2pEventHandlerImpl.processException. */
  private reasonOf(error: unknown): Reason {
    return (error instanceof P2pError && this.parts.release.reasons[error.code]) || 'UNKNOWN';
  }

  /**
   * Answers a chain summary. Disconnects a syncing peer that sends summaries too often. java-tron also disconnects such
   * a peer, although its log text describes another limit. Reference: SyncBlockChainMsgHandler.
   */
  private summary(peer: Peer, ids: readonly BlockId[]): void {
    const { chain, release } = this.parts;
    if (peer.remaining > 0 && !peer.limits.summaries.tryTake()) {
      peer.disconnect('BAD_PROTOCOL');
      return;
    }
    if (ids.length > release.summaryIdsMax)
      throw new P2pError('BAD_MESSAGE', `chain summary too long: ${ids.length} ids`);
    serveChainIds(chain, peer, ids);
  }

  private disconnected(peer: Peer, reason: Reason): void {
    if (!peer.limits.goodbyes.tryTake()) return;
    this.parts.log.info({ peer: peer.channel.key, reason }, 'peer sent disconnect');
    peer.remoteReason = reason;
    peer.channel.close();
  }

  /**
   * Processes a long list in several slices. Until the list is done, further messages of the peer are queued. If the
   * connection is closed, the rest of the list is dropped.
   */
  private inTurns(peer: Peer, steps: Steps): void | Promise<void> {
    return this.parts.turns.run(
      steps,
      () => peer.isClosed,
      (ms) => peer.channel.share.worked(ms),
    );
  }

  /** Handles a PBFT proof. Always decodes the proof, because an invalid proof disconnects the peer. */
  private *proof(body: Uint8Array): Steps {
    for (const chunk of fieldChunks(body)) {
      if (chunk !== undefined) PBFTCommitResult.decode(chunk);
      yield;
    }
    this.parts.proofs?.take(body);
  }

  private *inventory(peer: Peer, body: Uint8Array): Steps {
    const { chain, release, intake, advertiser } = this.parts;
    const list = yield* itemsInSteps(body);
    const { kind, ids } = list;
    if (this.isTooMuch(peer, list)) return;
    if (release.checksLists) yield* checkList(list);
    if (!peer.isInSync || (kind === 'transaction' && (intake.isBusy || chain.isUnsolidified === true))) return;
    if (kind === undefined) {
      advertiser.wantUnknown(peer, ids);
      return;
    }
    // Stores only the last ids of the message, because earlier ids would be evicted immediately.
    yield* inPortions(ids.slice(-ITEMS_MAX), (portion) => {
      for (const id of portion) peer.received.add(itemKey({ kind, id }));
    });
    yield* advertiser.announced(peer, kind, kind === 'block' ? yield* this.newBlocks(peer, ids) : ids);
  }

  /**
   * Returns the ids of the announced blocks that this node requests. Reference: InventoryMsgHandler.processMessage,
   * AdvService.addInv.
   */
  private *newBlocks(peer: Peer, ids: readonly string[]): Steps<readonly string[]> {
    const { chain, release, now } = this.parts;
    const { head, solidified } = chain;
    const requested: string[] = [];
    let isUseful = false;
    yield* inPortions(ids, (portion) => {
      for (const id of portion) {
        const { number } = blockIdOfHex(id);
        isUseful ||= number > head.number && !peer.spread.has(itemKey({ kind: 'block', id }));
        if (release.requestsBelowSolidified || number > solidified.number) requested.push(id);
      }
    });
    if (isUseful) peer.usefulMs = now();
    return requested;
  }

  /**
   * Returns true if the peer announces more transactions or blocks per second than allowed.
   * Reference: P2pEventHandlerImpl.checkInvRateLimit.
   */
  private isTooMuch(peer: Peer, { kind, ids }: ReadItemList): boolean {
    const { release, transactionsMax } = this.parts;
    const isBlock = kind === 'block';
    if (kind === undefined) return false;
    const counter = isBlock ? peer.announcedBlocks : peer.announcedCount;
    const most = (isBlock ? release.limits.blockIdsPerSecond : transactionsMax) * RATE_SECONDS;
    if (counter.sum(RATE_SECONDS) + (release.countsThisMessage ? ids.length : 0) > most) return true;
    counter.add(ids.length);
    return false;
  }

  private *fetched(peer: Peer, body: Uint8Array): Steps {
    const { release, server, now } = this.parts;
    const list = yield* itemsInSteps(body);
    if (release.checksLists) yield* checkList(list);
    if (list.kind !== 'block') peer.fetchedCount.add(list.ids.length);
    yield* server.serve(peer, list);
    if (list.kind === 'block') peer.usefulMs = now();
  }

  private *transactions(peer: Peer, body: Uint8Array): Steps {
    const { chain, intake } = this.parts;
    const transactions: DecodedTransaction[] = [];
    for (const chunk of fieldChunks(body, TRANSACTIONS_CHUNK_BYTES)) {
      // Decodes a message longer than SHORT_BYTES_MAX only until it has more transactions than were requested. As in
      // java-tron, a shorter message is decoded completely before this check.
      if (body.length > SHORT_BYTES_MAX && transactions.length > peer.itemRequests.size)
        throw new P2pError('BAD_MESSAGE', 'more transactions than requested');
      if (chunk !== undefined) transactions.push(...reading(readTransactions, chunk, chain.isFiltered));
      yield;
    }
    intake.take(peer, transactions);
  }
}

/** Message type of a single transaction. No node sends this type, because transactions are sent in lists. */
const SINGLE_TRANSACTION = 0x01;

/** Returns the message type, which is the first byte. The connection rejects empty messages. */
function typeOf(bytes: Uint8Array): number {
  return itemAt(bytes, 0);
}

/**
 * Message types that reset the idle time of a connection. FETCH_INV_DATA is missing, because only requests for blocks
 * count. The handler of FETCH_INV_DATA checks the kind of the request.
 */
const USEFUL: ReadonlySet<number> = new Set([
  WireMessageType.SYNC_BLOCK_CHAIN,
  WireMessageType.BLOCK_CHAIN_INVENTORY,
  WireMessageType.BLOCK,
]);

/**
 * Requests for data of this node: block ids for a sync, and blocks or transactions. Only half of the time for these
 * requests is charged to the CPU time quota of the peer.
 */
const SERVED: ReadonlySet<MessageName> = new Set(['SYNC_BLOCK_CHAIN', 'FETCH_INV_DATA']);

/**
 * Returns the share of a message's processing time that is charged to the CPU time quota of the peer, from 0 to 1. It
 * is 0 for data that this node requested.
 */
function partOf(name: MessageName, peer: Peer): number {
  if (name === 'BLOCK_CHAIN_INVENTORY') return peer.chainRequest === undefined ? 1 : 0;
  if (name === 'BLOCK') return peer.syncRequests.size + peer.itemRequests.size > 0 ? 0 : 1;
  if (name === 'TRXS') return peer.itemRequests.size > 0 ? 0 : 1;
  return SERVED.has(name) ? 1 / 2 : 1;
}

/** Messages that are decoded in one step. The longest such message of java-tron has 2,001 ids with heights, 90 KB. */
const SHORT: ReadonlySet<MessageName> = new Set([
  'P2P_HELLO',
  'P2P_DISCONNECT',
  'SYNC_BLOCK_CHAIN',
  'BLOCK_CHAIN_INVENTORY',
  'PBFT_MSG',
]);
const SHORT_BYTES_MAX = 128 * 1024;

/** Rejection reasons for bytes that cannot be decoded as a message. Reference: TronMessageFactory. */
const UNREADABLE: ReadonlySet<RejectReason> = new Set([
  'NO_SUCH_MESSAGE',
  'PARSE_MESSAGE_FAILED',
  'MESSAGE_WITH_WRONG_LENGTH',
  'PROTOBUF_ERROR',
]);

/**
 * Returns the reason of a rejection. Returns undefined for an internal error, which data of a peer should never cause.
 */
function refusalOf(error: unknown): RejectReason | undefined {
  if (error instanceof P2pError) return error.code;
  return error instanceof ProtobufError ? 'PARSE_MESSAGE_FAILED' : undefined;
}

/**
 * Checks an inventory or a request for items.
 * @throws {P2pError} BAD_MESSAGE: when the kind is unknown, or an id occurs twice
 */
function* checkList({ kind, ids }: ReadItemList): Steps {
  const seen = new Set<string>();
  yield* inPortions(ids, (portion) => {
    for (const id of portion) seen.add(id);
  });
  if (seen.size !== ids.length) throw new P2pError('BAD_MESSAGE', 'duplicate id');
  if (kind === undefined) throw new P2pError('BAD_MESSAGE', 'unknown inventory type');
}
