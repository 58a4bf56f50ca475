import { BoundedCache } from '../bounded-cache.js';
import type { LocalChain } from '../local-chain.js';
import type { IdleClock } from '../peers/idle-clock.js';
import type { Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import type { BlockId } from '../wire/block-id.js';
import { encodeItems } from '../wire/messages.js';
import type { QueuedBlocks } from './queued-blocks.js';

/** Blocks that one message asks for. Reference: NetConstants.MAX_BLOCK_FETCH_PER_PEER. */
const FETCH_MAX = 100;
/** Ids that were asked of somebody. Reference: SyncService.requestBlockIds. */
const REQUESTED_MAX = 10_000;
/**
 * Bytes of blocks that wait to be executed, above which no more are asked for: blocks may come faster than they are
 * executed, and the reference asks on until its lists of ids are empty.
 */
const WAITING_BYTES_MAX = 48 * 1024 * 1024;

interface BlockRequestsOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  /** `node.blockCacheTimeout`, ms. */
  readonly requestLifeMs: number;
  readonly waitClock: IdleClock;
  readonly now: () => number;
  readonly waiting: QueuedBlocks;
  /** It is a peer's turn: what of its chain is known by now need not be asked for. */
  readonly turn: (peer: Peer) => void;
  /** Somebody could not be asked now. */
  readonly postponed: () => void;
}

/** Asks peers for the blocks of their chains, each block of one of them. Reference: SyncService.startFetchSyncBlock. */
export class BlockRequests {
  private readonly options: BlockRequestsOptions;
  private readonly requested: BoundedCache<Peer>;
  /** Highest block that was asked for: those below it are not held back. */
  private highestAsked = 0;

  constructor(options: BlockRequestsOptions) {
    const { requestLifeMs, now } = options;
    this.options = options;
    this.requested = new BoundedCache({ entriesMax: REQUESTED_MAX, lifeMs: requestLifeMs, now });
  }

  /** May be asked for again, should it be forgotten. */
  delete(id: string): void {
    this.requested.delete(id);
  }

  /** What was asked of a peer may be asked of others. */
  release(id: string, peer: Peer): void {
    if (this.requested.get(id) === peer) this.requested.delete(id);
  }

  ask(): void {
    const { peers, release, waitClock, waiting, turn, postponed } = this.options;
    if (waiting.bytes > WAITING_BYTES_MAX) return;
    const active = peers.active();
    const asked = active.reduce((sum, { syncRequests }) => sum + syncRequests.size, 0);
    let room = release.limits.pendingBlocksMax - asked - waiting.size;
    for (const peer of active) {
      if (!peer.needsSyncFromPeer || !peer.mayFetch) continue;
      turn(peer);
      if (!this.hasTime(peer)) continue;
      const ids = this.nextOf(peer, room);
      if (ids.length === 0) continue;
      if (!peer.mayAsk('blocks')) {
        postponed();
        continue;
      }
      for (const { hex, number } of ids) {
        this.requested.set(hex, peer);
        peer.askedIds.set(hex, true);
        peer.syncRequests.set(hex, waitClock.now());
        this.highestAsked = Math.max(this.highestAsked, number);
      }
      room -= ids.length;
      peer.send(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: ids.map(({ hex }) => hex) }));
    }
    for (const peer of active) if (this.isExhausted(peer)) peer.disconnect('SYNC_FAIL');
  }

  /** Whether a peer may be asked the next thing. */
  hasTime(peer: Peer): boolean {
    return this.options.release.syncsBesideItems ? peer.isSyncIdle : peer.isIdle;
  }

  /**
   * It sent its next block before, which was forgotten since, and nobody else is or can be asked for it. A second
   * question is a breach of the rules, for which it would ban this node; on a new connection it may be asked. The
   * reference asks again, and is banned.
   */
  private isExhausted(peer: Peer): boolean {
    const { chain, peers, waiting } = this.options;
    const [next] = peer.toFetch;
    if (next === undefined || !peer.askedIds.has(next.hex) || peer.syncRequests.has(next.hex)) return false;
    if (this.requested.has(next.hex) || waiting.has(next.hex) || chain.isKnown(next)) return false;
    return !peers.active().some(({ toFetch, askedIds }) => toFetch[0]?.hex === next.hex && !askedIds.has(next.hex));
  }

  /** What a peer can be asked for in one message; when no room is left, only what was asked for before, of others. */
  private nextOf(peer: Peer, room: number): readonly BlockId[] {
    const { chain, postponed } = this.options;
    const ids: BlockId[] = [];
    for (const id of peer.toFetch) {
      if (this.requested.has(id.hex) || peer.askedIds.has(id.hex) || chain.isKnown(id)) continue;
      if (ids.length >= room && id.number > this.highestAsked) {
        postponed();
        break;
      }
      ids.push(id);
      if (ids.length >= FETCH_MAX) break;
    }
    return ids;
  }
}
