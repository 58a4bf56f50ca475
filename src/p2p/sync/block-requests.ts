import { BoundedCache } from '../bounded-cache.js';
import type { LocalChain } from '../local-chain.js';
import type { IdleClock } from '../peers/idle-clock.js';
import type { Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import type { BlockId } from '../wire/block-id.js';
import { encodeItems } from '../wire/messages.js';
import type { QueuedBlocks } from './queued-blocks.js';

/** Maximum number of blocks per request. Reference: NetConstants.MAX_BLOCK_FETCH_PER_PEER. */
const FETCH_MAX = 100;
/** Maximum number of open block requests. Reference: SyncService.requestBlockIds. */
const REQUESTED_MAX = 10_000;
/**
 * Maximum size in bytes of blocks that are requested, or received and not executed yet. At this size, this node
 * requests no blocks above the highest requested block, because blocks can arrive faster than they are executed. The
 * size of a requested block is not known, so the mean size of the last received blocks is used. java-tron has no such
 * limit.
 */
const QUEUED_BYTES_MAX = 48 * 1024 * 1024;

interface BlockRequestsOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  /** Time in ms after which a request expires. Configured by `node.blockCacheTimeout`. */
  readonly requestLifeMs: number;
  readonly waitClock: IdleClock;
  readonly now: () => number;
  readonly queued: QueuedBlocks;
  /**
   * Called before blocks are requested from a peer. The callback removes the ids of blocks that have become known since
   * the peer listed them.
   */
  readonly turn: (peer: Peer) => void;
  /** Called when the rate limit of a peer does not permit a request now. */
  readonly postponed: () => void;
}

/** Requests the blocks of the peers' chains, each block from one peer. Reference: SyncService.startFetchSyncBlock. */
export class BlockRequests {
  private readonly options: BlockRequestsOptions;
  private readonly requested: BoundedCache<Peer>;
  /**
   * Height of the highest requested block. At the limit of open requests, only blocks up to this height may be
   * requested.
   */
  private highestRequested = 0;

  constructor(options: BlockRequestsOptions) {
    const { requestLifeMs, now } = options;
    this.options = options;
    this.requested = new BoundedCache({ entriesMax: REQUESTED_MAX, lifeMs: requestLifeMs, now });
  }

  /** Deletes the request for a block, so that the block can be requested from any peer again. */
  delete(id: string): void {
    this.requested.delete(id);
  }

  /**
   * Deletes the request for a block if it was sent to this peer, so that the block can be requested from other peers.
   */
  release(id: string, peer: Peer): void {
    if (this.requested.get(id) === peer) this.requested.delete(id);
  }

  requestMore(): void {
    const { peers, release, waitClock, queued, turn, postponed } = this.options;
    const active = peers.active();
    const outstanding = active.reduce((sum, { syncRequests }) => sum + syncRequests.size, 0);
    const freeBytes = Math.floor((QUEUED_BYTES_MAX - queued.bytes) / queued.meanBytes);
    let free = Math.min(release.limits.pendingBlocksMax - queued.size, freeBytes) - outstanding;
    for (const peer of active) {
      if (!peer.needsSyncFromPeer || !peer.mayFetch) continue;
      turn(peer);
      if (!this.hasTime(peer)) continue;
      const ids = this.nextOf(peer, free);
      if (ids.length === 0) continue;
      if (!peer.mayRequest('blocks')) {
        postponed();
        continue;
      }
      for (const { hex, number } of ids) {
        this.requested.set(hex, peer);
        peer.requestedIds.set(hex, true);
        peer.syncRequests.set(hex, waitClock.now());
        this.highestRequested = Math.max(this.highestRequested, number);
      }
      free -= ids.length;
      peer.send(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: ids.map(({ hex }) => hex) }));
    }
    for (const peer of active) if (this.isExhausted(peer)) peer.disconnect('SYNC_FAIL');
  }

  /** Returns true if a peer is ready for the next request. */
  hasTime(peer: Peer): boolean {
    return this.options.release.syncsBesideItems ? peer.isSyncIdle : peer.isIdle;
  }

  /**
   * Returns true if the sync with a peer is stuck: the peer has sent the next block, the block was dropped, and no
   * other peer has it. This node may request the block again only on a new connection, because a second request
   * violates the protocol. java-tron makes this request and is banned.
   */
  private isExhausted(peer: Peer): boolean {
    const { chain, peers, queued } = this.options;
    const [next] = peer.toFetch;
    if (next === undefined || !peer.requestedIds.has(next.hex) || peer.syncRequests.has(next.hex)) return false;
    if (this.requested.has(next.hex) || queued.has(next.hex) || chain.isKnown(next)) return false;
    return !peers
      .active()
      .some(({ toFetch, requestedIds }) => toFetch[0]?.hex === next.hex && !requestedIds.has(next.hex));
  }

  /**
   * Returns the blocks to request from a peer. At the limit of open requests, only blocks up to the height
   * `highestRequested` are included.
   */
  private nextOf(peer: Peer, free: number): readonly BlockId[] {
    const { chain, postponed } = this.options;
    const ids: BlockId[] = [];
    for (const id of peer.toFetch) {
      if (this.requested.has(id.hex) || peer.requestedIds.has(id.hex) || chain.isKnown(id)) continue;
      if (ids.length >= free && id.number > this.highestRequested) {
        postponed();
        break;
      }
      ids.push(id);
      if (ids.length >= FETCH_MAX) break;
    }
    return ids;
  }
}
