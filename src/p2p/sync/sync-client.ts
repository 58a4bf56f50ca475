import type { Logger } from 'pino';
import { itemAt, present } from '../../primitives/assert.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import type { EncodedBlock } from '../../state-transition/block/encoded-block.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { PeerObserver } from '../peer-observer.js';
import type { IdleClock } from '../peers/idle-clock.js';
import type { Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import type { BlockId } from '../wire/block-id.js';
import { type ChainIds, encodeSyncRequest } from '../wire/messages.js';
import { BlockRequests } from './block-requests.js';
import { chainSummary } from './chain-summary.js';
import { checkChainIds } from './check-chain-ids.js';
import { QueueExecution } from './queue-execution.js';
import { type QueuedBlock, QueuedBlocks } from './queued-blocks.js';
import { SyncProgress } from './sync-progress.js';

/** Interval in ms of the check for postponed requests and for queued blocks. Reference: SyncService.init. */
const CHECK_MS = 1000;
/**
 * Size of the queued blocks in bytes, above which the peer with the most queued bytes is disconnected. Honest peers
 * stay far below it, because this node stops requesting blocks at 48 MiB. A hostile peer can answer a request for 100
 * blocks with 200 MB.
 */
const QUEUED_BYTES_TOLERATED = 192 * 1024 * 1024;
/** Delay in ms before a request that a rate limit has postponed is tried again. */
const RETRY_MS = 100;

interface SyncClientOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  /** Number of received ids after which blocks are requested. Configured by `node.syncFetchBatchNum`. */
  readonly batchNum: number;
  /** Time in ms after which a request expires. Configured by `node.blockCacheTimeout`. */
  readonly requestLifeMs: number;
  /** Called when a synced block was imported. */
  readonly imported: (block: DecodedBlock) => void;
  readonly waitClock: IdleClock;
  readonly observer: PeerObserver;
  readonly log: Logger;
  readonly now: () => number;
  /** Monotonic clock in ms. */
  readonly clock?: () => number;
}

/**
 * Downloads blocks from peers whose chain is ahead of this node, and imports them. Reference: SyncService,
 * ChainInventoryMsgHandler.
 */
export class SyncClient {
  private readonly options: SyncClientOptions;
  private readonly queued = new QueuedBlocks();
  private readonly requests: BlockRequests;
  private readonly execution: QueueExecution;
  private readonly timer: NodeJS.Timeout;
  private readonly progress: SyncProgress;
  private soon: NodeJS.Timeout | undefined;
  /** Peers whose request for ids was postponed by the rate limit. */
  private readonly postponedPeers = new Set<Peer>();
  private isClosed = false;

  constructor(options: SyncClientOptions) {
    this.options = options;
    this.execution = new QueueExecution({
      ...options,
      queued: this.queued,
      prune: () => this.dropSolidified(),
      isUnlinked: (block) => this.dependsOnDeleted(block),
      executed: (block, failure) => this.executed(block, failure),
      clock: options.clock ?? (() => performance.now()),
    });
    this.progress = new SyncProgress(options.log, options.now);
    this.requests = new BlockRequests({
      ...options,
      queued: this.queued,
      turn: (peer) => this.passKnown(peer),
      postponed: () => this.checkSoon(),
    });
    this.timer = setInterval(() => {
      this.execution.schedule();
      this.requests.requestMore();
    }, CHECK_MS);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    clearTimeout(this.soon);
    this.execution.close();
  }

  /** Starts a sync with a peer. Resets the common block to genesis, and discards the known ids of the peer's chain. */
  start(peer: Peer): void {
    if (peer.isSyncing) return;
    peer.isSyncing = true;
    peer.needsSyncFromPeer = true;
    peer.toFetch = [];
    peer.remaining = 0;
    peer.setCommonBlock(this.options.chain.genesis);
    this.requestIds(peer);
  }

  /**
   * Handles a chain inventory of a peer.
   * @throws {P2pError} BAD_MESSAGE: when the inventory does not answer the open request
   */
  receiveIds(peer: Peer, answer: ChainIds): void {
    const { chain, batchNum, now } = this.options;
    checkChainIds(chain, peer, answer, now());
    peer.needsSyncFromPeer = true;
    peer.chainRequest = undefined;
    const { ids, remaining } = answer;
    const first = itemAt(ids, 0);
    if (ids.length === 1 && chain.isKnown(first)) {
      peer.isSyncing = false;
      peer.needsSyncFromPeer = false;
      peer.mayFetch = false;
      return;
    }
    while (peer.toFetch.length > 0 && peer.toFetch.at(-1)?.hex !== first.hex) peer.toFetch.pop();
    // The first id is unknown, although its block was known when the peer listed the id. The block was deleted since
    // then, together with a failed branch.
    if (peer.toFetch.length === 0 && !chain.isKnown(first)) {
      this.startAgain(peer, itemAt(ids, ids.length - 1));
      return;
    }
    peer.remaining = remaining;
    peer.toFetch.push(...ids.slice(1));
    this.skipKnown(peer);
    peer.mayFetch = true;
    const isComplete = remaining === 0 && peer.toFetch.length > 0;
    if (isComplete || (remaining !== 0 && peer.toFetch.length > batchNum)) this.requests.requestMore();
    else this.requestIds(peer);
  }

  /**
   * Queues a block that the sync requested, and starts the check of its signatures. Then requests more blocks, or more
   * ids.
   */
  receiveBlock(peer: Peer, block: EncodedBlock): void {
    peer.syncRequests.delete(block.idHex);
    if (this.queued.add({ block, peer })) this.options.chain.prefetchSignatures(block);
    this.limitQueue();
    if (peer.isClosed) return;
    this.execution.blockReceived();
    if (!this.requests.hasTime(peer)) return;
    if (peer.remaining > 0 && peer.toFetch.length <= this.options.batchNum) this.requestIds(peer);
    else this.requests.requestMore();
  }

  /** Requests from other peers the blocks that were requested from a disconnected peer. */
  peerDisconnected(peer: Peer): void {
    for (const id of peer.syncRequests.keys()) this.requests.release(id, peer);
    for (const { idHex } of this.queued.of(peer)) {
      this.queued.remove(idHex);
      this.requests.release(idHex, peer);
    }
    peer.toFetch = [];
    peer.syncRequests.clear();
    this.requests.requestMore();
  }

  /** Disconnects the peer with the most queued bytes while the queue is too large. */
  private limitQueue(): void {
    while (this.queued.bytes > QUEUED_BYTES_TOLERATED) {
      const peer = present(this.queued.largestSender(), 'the queue contains blocks');
      this.options.log.info(
        { peer: peer.channel.key, bytes: this.queued.bytes },
        'queue of synced blocks full, disconnecting peer',
      );
      peer.disconnect('SYNC_FAIL');
      this.peerDisconnected(peer);
    }
  }

  /**
   * Restarts the sync with a peer whose listed ids can no longer be used. The time limit of the peer is not extended.
   * Disconnects a peer that listed blocks above the head of this node, because a second summary to this peer would
   * violate the protocol.
   */
  private startAgain(peer: Peer, lastKnown: BlockId): void {
    const { chain } = this.options;
    if (lastKnown.number > chain.head.number) {
      peer.disconnect('SYNC_FAIL');
      return;
    }
    peer.toFetch = [];
    peer.remaining = 0;
    peer.resetCommonBlock(chain.genesis);
    this.requestIds(peer);
  }

  private requestIds(peer: Peer): void {
    const { chain, now, log } = this.options;
    if (peer.chainRequest !== undefined || peer.isClosed) return;
    if (!peer.mayRequest('ids')) {
      this.postponedPeers.add(peer);
      this.checkSoon();
      return;
    }
    try {
      const ids = chainSummary(chain, peer);
      peer.chainRequest = { ids: new Set(ids.map(({ hex }) => hex)), last: itemAt(ids, ids.length - 1), atMs: now() };
      peer.send(encodeSyncRequest(ids));
    } catch (error) {
      if (!(error instanceof P2pError)) throw error;
      log.warn(
        { peer: peer.channel.key, reason: error.message },
        'cannot list own block ids for a sync request, disconnecting peer',
      );
      peer.disconnect('SYNC_FAIL');
    }
  }

  /** Sends postponed requests after a short delay. */
  private checkSoon(): void {
    if (this.soon !== undefined || this.isClosed) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      const postponed = [...this.postponedPeers];
      this.postponedPeers.clear();
      for (const peer of postponed) this.requestIds(peer);
      this.requests.requestMore();
    }, RETRY_MS);
  }

  /**
   * Skips the next blocks of the peer that this node has already received from another peer or from an announcement.
   */
  private passKnown(peer: Peer): void {
    const [next] = peer.toFetch;
    if (next === undefined || this.queued.has(next.hex) || !this.options.chain.isKnown(next)) return;
    this.skipKnown(peer);
    if (peer.toFetch.length === 0) this.requestIds(peer);
  }

  private skipKnown(peer: Peer): void {
    const { chain } = this.options;
    let known = 0;
    while (known < peer.toFetch.length && chain.isKnown(itemAt(peer.toFetch, known))) known++;
    if (known === 0) return;
    peer.setCommonBlock(itemAt(peer.toFetch, known - 1));
    peer.toFetch = peer.toFetch.slice(known);
  }

  /** Handles the consequences of an executed block for the peers that sent it or listed it next. */
  private executed({ block, peer }: QueuedBlock, failure: P2pError | undefined): void {
    const { peers, observer, log } = this.options;
    if (failure !== undefined) {
      const { code, message } = failure;
      observer.refused(code, false);
      log.warn({ num: block.number, hash: block.idHex, type: code, reason: message }, 'synced block rejected');
      if (code === 'BLOCK_SIGN_ERROR' || code === 'BLOCK_MERKLE_ERROR') {
        this.requests.release(block.idHex, peer);
        peer.disconnect('BAD_BLOCK');
        return;
      }
    }
    const left = Math.max(0, ...peers.active().map(({ toFetch, remaining }) => toFetch.length + remaining));
    if (failure === undefined) {
      peer.blockReceivedMs = this.options.now();
      this.progress.applied(block.number, left);
      // Deletes the request, because the block is known now. If the block is later deleted together with a failed
      // branch, it can be requested again.
      this.requests.delete(block.idHex);
    }
    for (const other of this.peersNeeding(block.idHex)) {
      const id = other.toFetch.shift() as BlockId;
      if (failure !== undefined) {
        other.disconnect('BAD_BLOCK');
        continue;
      }
      other.setCommonBlock(id);
      if (other.toFetch.length === 0 && other.mayFetch) this.requestIds(other);
    }
  }

  /** Returns the peers in whose chain this block is the next one. */
  private peersNeeding(id: string): readonly Peer[] {
    return this.options.peers.active().filter(({ toFetch }) => toFetch[0]?.hex === id);
  }

  /**
   * Handles a block whose parent was deleted with a failed branch after the block was requested. Restarts the sync with
   * the affected peers, which did nothing wrong.
   * @returns true if all peers of this block are affected; the block then remains queued
   */
  private dependsOnDeleted(block: EncodedBlock): boolean {
    const { chain } = this.options;
    const affected = this.peersNeeding(block.idHex);
    const innocent = affected.filter(
      ({ commonBlock }) => commonBlock.hex === block.parentIdHex && !chain.isKnown(commonBlock),
    );
    for (const other of innocent) this.startAgain(other, present(other.toFetch.at(-1), 'this block is in its list'));
    return innocent.length > 0 && innocent.length === affected.length;
  }

  /**
   * Drops queued blocks at solidified heights. If a dropped block is not canonical, the peers that listed it may have
   * changed to another branch, so the sync with them restarts. java-tron waits until these peers time out.
   */
  private dropSolidified(): void {
    const { chain } = this.options;
    const { number } = chain.solidified;
    for (const block of this.queued.upTo(number)) {
      this.queued.remove(block.idHex);
      if (chain.isKnown({ hex: block.idHex, number: block.number })) continue;
      for (const other of this.peersNeeding(block.idHex))
        this.startAgain(other, present(other.toFetch.at(-1), 'this block is in its list'));
    }
  }
}
