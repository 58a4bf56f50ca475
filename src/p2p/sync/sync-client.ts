import type { Logger } from 'pino';
import type { DecodedBlock } from '../../vm/block/decoded-block.js';
import { BoundedCache } from '../bounded-cache.js';
import type { LocalChain } from '../local-chain.js';
import { P2pError } from '../p2p-error.js';
import type { PeerObserver } from '../peer-observer.js';
import type { Patience } from '../peers/patience.js';
import type { Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import type { PeerRelease } from '../releases/peer-release.js';
import type { BlockId } from '../wire/block-id.js';
import { type ChainIds, encodeItems, encodeSyncRequest } from '../wire/messages.js';
import { chainSummary } from './chain-summary.js';
import { checkChainIds } from './check-chain-ids.js';
import { SyncProgress } from './sync-progress.js';

/** Blocks that one message asks for. Reference: NetConstants.MAX_BLOCK_FETCH_PER_PEER. */
const FETCH_MAX = 100;
/** Ids that were asked of somebody. Reference: SyncService.requestBlockIds. */
const REQUESTED_MAX = 10_000;
/** ms that the thread is held by blocks before others have their turn. */
const SLICE_MS = 30;
/** ms after which what was taken is brought onto the disk while more is there to take. */
const SETTLE_MS = 250;
/**
 * Bytes of blocks that wait to be executed, above which no more are asked for: blocks may come faster than they are executed, and
 * the reference asks on until its lists of ids are empty.
 */
const WAITING_BYTES_MAX = 48 * 1024 * 1024;
/** ms between two looks for what could not be asked for, or executed, when it was noticed. Reference: SyncService.init. */
const LOOK_AGAIN_MS = 1000;
/** The same where a peer may not be asked so often, or no more may be asked for now. */
const LOOK_SOON_MS = 100;

export interface SyncClientOptions {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  readonly peers: PeerSet;
  /** `node.syncFetchBatchNum`: ids that are gathered before blocks are asked for. */
  readonly batchNum: number;
  /** `node.blockCacheTimeout`, ms. */
  readonly requestLifeMs: number;
  /** A block of a sync was taken. */
  readonly taken: (block: DecodedBlock) => void;
  readonly patience: Patience;
  readonly observer: PeerObserver;
  readonly log: Logger;
  readonly now: () => number;
}

interface WaitingBlock {
  readonly block: DecodedBlock;
  readonly peer: Peer;
}

/** Follows the chains of peers that are ahead. Reference: SyncService, ChainInventoryMsgHandler. */
export class SyncClient {
  private readonly options: SyncClientOptions;
  private readonly requested: BoundedCache<Peer>;
  private readonly waiting = new Map<string, WaitingBlock>();
  private waitingBytes = 0;
  private isProcessing = false;
  /** Since when blocks were taken that are not on the disk. */
  private unsettledMs: number | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly progress: SyncProgress;
  private soon: NodeJS.Timeout | undefined;
  /** Highest block that was asked for: those below it are not held back. */
  private highestAsked = 0;
  /** Peers that could not be asked for ids when it was time. */
  private readonly toAskForIds = new Set<Peer>();
  private isClosed = false;

  constructor(options: SyncClientOptions) {
    const { requestLifeMs, now } = options;
    this.options = options;
    this.progress = new SyncProgress(options.log, now);
    this.requested = new BoundedCache({ entriesMax: REQUESTED_MAX, lifeMs: requestLifeMs, now });
    this.timer = setInterval(() => {
      this.process();
      this.fetch();
    }, LOOK_AGAIN_MS);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    clearTimeout(this.soon);
  }

  /** From the beginning, whatever was known of the peer's chain. */
  start(peer: Peer): void {
    if (peer.isSyncing) return;
    peer.isSyncing = true;
    peer.needsSyncFromPeer = true;
    peer.toFetch = [];
    peer.remaining = 0;
    peer.setCommonBlock(this.options.chain.genesis);
    this.askForIds(peer);
  }

  /** The peer's answer to a summary. @throws {P2pError} BAD_MESSAGE */
  takeIds(peer: Peer, answer: ChainIds): void {
    const { chain, batchNum, now } = this.options;
    checkChainIds(chain, peer, answer, now());
    peer.needsSyncFromPeer = true;
    peer.chainRequest = undefined;
    const { ids, remaining } = answer;
    const [first] = ids;
    if (ids.length === 1 && chain.isKnown(first!)) {
      peer.isSyncing = false;
      peer.needsSyncFromPeer = false;
      peer.mayFetch = false;
      return;
    }
    while (peer.toFetch.length > 0 && peer.toFetch.at(-1)?.hex !== first?.hex) peer.toFetch.pop();
    // It was known when it was named, and was forgotten since with a branch that failed.
    if (peer.toFetch.length === 0 && !chain.isKnown(first!)) {
      this.startAgain(peer, ids.at(-1)!);
      return;
    }
    peer.remaining = remaining;
    peer.toFetch.push(...ids.slice(1));
    this.skipKnown(peer);
    peer.mayFetch = true;
    const isComplete = remaining === 0 && peer.toFetch.length > 0;
    if (isComplete || (remaining !== 0 && peer.toFetch.length > batchNum)) this.fetch();
    else this.askForIds(peer);
  }

  /** A block of a chain that was asked for. */
  takeBlock(peer: Peer, block: DecodedBlock): void {
    peer.syncRequests.delete(block.idHex);
    if (!this.waiting.has(block.idHex)) {
      peer.inProcess.add(block.idHex);
      this.waiting.set(block.idHex, { block, peer });
      this.waitingBytes += block.bytes.length;
      this.options.chain.prepare(block);
    }
    this.process();
    if (!this.hasTime(peer)) return;
    if (peer.remaining > 0 && peer.toFetch.length <= this.options.batchNum) this.askForIds(peer);
    else this.fetch();
  }

  /** What was asked of it is asked of others. */
  peerGone(peer: Peer): void {
    for (const id of peer.syncRequests.keys()) this.release(id, peer);
    for (const [id, entry] of this.waiting) {
      if (entry.peer !== peer) continue;
      this.forget(id);
      this.release(id, peer);
    }
    peer.toFetch = [];
    peer.syncRequests.clear();
    peer.inProcess.clear();
    this.fetch();
  }

  /**
   * What it told is of no use any more: it is asked from the beginning, and has no more time for that. Who told of more than this node
   * has would refuse such a question as a breach of the rules, and is let go.
   */
  private startAgain(peer: Peer, told: BlockId): void {
    const { chain } = this.options;
    if (told.number > chain.head.number) {
      peer.disconnect('SYNC_FAIL');
      return;
    }
    peer.toFetch = [];
    peer.remaining = 0;
    peer.resetCommonBlock(chain.genesis);
    this.askForIds(peer);
  }

  private askForIds(peer: Peer): void {
    const { chain, now, log } = this.options;
    if (peer.chainRequest !== undefined || peer.isClosed) return;
    if (!peer.mayAsk('ids')) {
      this.toAskForIds.add(peer);
      this.lookSoon();
      return;
    }
    try {
      const ids = chainSummary(chain, peer);
      peer.chainRequest = { ids: new Set(ids.map(({ hex }) => hex)), last: ids.at(-1)!, atMs: now() };
      peer.send(encodeSyncRequest(ids));
    } catch (error) {
      if (!(error instanceof P2pError)) throw error;
      log.warn({ peer: peer.channel.key, reason: error.message }, 'no summary of the chain can be made');
      peer.disconnect('SYNC_FAIL');
    }
  }

  /** Asks those who may be asked now. */
  private lookSoon(): void {
    if (this.soon !== undefined || this.isClosed) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      const waiting = [...this.toAskForIds];
      this.toAskForIds.clear();
      for (const peer of waiting) this.askForIds(peer);
      this.fetch();
    }, LOOK_SOON_MS);
  }

  /** What was to come of it may have come from others, or as news. */
  private passKnown(peer: Peer): void {
    const [next] = peer.toFetch;
    if (next === undefined || this.waiting.has(next.hex) || !this.options.chain.isKnown(next)) return;
    this.skipKnown(peer);
    if (peer.toFetch.length === 0) this.askForIds(peer);
  }

  private skipKnown(peer: Peer): void {
    const { chain } = this.options;
    let known = 0;
    while (known < peer.toFetch.length && chain.isKnown(peer.toFetch[known]!)) known++;
    if (known === 0) return;
    peer.setCommonBlock(peer.toFetch[known - 1]!);
    peer.toFetch = peer.toFetch.slice(known);
  }

  private hasTime(peer: Peer): boolean {
    return this.options.release.syncsBesideItems ? peer.isSyncIdle : peer.isIdle;
  }

  private fetch(): void {
    const { peers, release, patience } = this.options;
    if (this.waitingBytes > WAITING_BYTES_MAX) return;
    const active = peers.active();
    const asked = active.reduce((sum, { syncRequests }) => sum + syncRequests.size, 0);
    let room = release.limits.pendingBlocksMax - asked - this.waiting.size;
    for (const peer of active) {
      if (!peer.needsSyncFromPeer || !peer.mayFetch) continue;
      this.passKnown(peer);
      if (!this.hasTime(peer)) continue;
      const ids = this.nextOf(peer, room);
      if (ids.length === 0) continue;
      if (!peer.mayAsk('blocks')) {
        this.lookSoon();
        continue;
      }
      for (const { hex, number } of ids) {
        this.requested.set(hex, peer);
        peer.askedIds.set(hex, true);
        peer.syncRequests.set(hex, patience.now());
        this.highestAsked = Math.max(this.highestAsked, number);
      }
      room -= ids.length;
      peer.send(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: ids.map(({ hex }) => hex) }));
    }
    for (const peer of active) if (this.isExhausted(peer)) peer.disconnect('SYNC_FAIL');
  }

  /**
   * It sent its next block before, which was forgotten since, and nobody else is or can be asked for it. A second question is a breach
   * of the rules, for which it would ban this node; on a new connection it may be asked. The reference asks again, and is banned.
   */
  private isExhausted(peer: Peer): boolean {
    const [next] = peer.toFetch;
    if (next === undefined || !peer.askedIds.has(next.hex) || peer.syncRequests.has(next.hex)) return false;
    if (this.requested.has(next.hex) || this.waiting.has(next.hex) || this.options.chain.isKnown(next)) return false;
    return !this.waitingFor(next.hex).some((other) => !other.askedIds.has(next.hex));
  }

  /** What a peer can be asked for in one message; when no room is left, only what was asked for before, of others. */
  private nextOf(peer: Peer, room: number): readonly BlockId[] {
    const { chain } = this.options;
    const ids: BlockId[] = [];
    for (const id of peer.toFetch) {
      if (this.requested.has(id.hex) || peer.askedIds.has(id.hex) || chain.isKnown(id)) continue;
      if (ids.length >= room && id.number > this.highestAsked) {
        this.lookSoon();
        break;
      }
      ids.push(id);
      if (ids.length >= FETCH_MAX) break;
    }
    return ids;
  }

  /** Executes what waits, in slices: others of the thread have their turn in between. */
  private process(): void {
    if (this.isProcessing || this.isClosed || this.waiting.size === 0) return;
    this.isProcessing = true;
    setImmediate(() => this.options.patience.during(() => this.slice()));
  }

  private slice(): void {
    this.isProcessing = false;
    if (this.isClosed) return;
    const { chain, log } = this.options;
    const started = performance.now();
    let done = 0;
    try {
      this.dropSolidified();
      for (let next = this.next(); next !== undefined; next = this.next()) {
        this.apply(next);
        done++;
        if (performance.now() - started > SLICE_MS) break;
      }
      if (done > 0) this.unsettledMs ??= performance.now();
      const isMore = this.next() !== undefined;
      const isLate = this.unsettledMs !== undefined && performance.now() - this.unsettledMs > SETTLE_MS;
      if (this.unsettledMs !== undefined && (isLate || !isMore)) {
        this.unsettledMs = undefined;
        chain.settle();
      }
      if (isMore) this.process();
    } catch (error) {
      log.error({ err: error }, 'blocks of a sync could not be processed');
    }
  }

  /** A block that is the next one of some peer's chain. */
  private next(): WaitingBlock | undefined {
    if (this.waiting.size === 0) return undefined;
    for (const { toFetch } of this.options.peers.active()) {
      const found = toFetch[0] && this.waiting.get(toFetch[0].hex);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private apply({ block, peer }: WaitingBlock): void {
    const { peers, observer, log } = this.options;
    if (this.restsOnForgotten(block)) return;
    this.forget(block.idHex);
    peer.inProcess.delete(block.idHex);
    const failure = this.take(block);
    if (failure !== undefined) {
      const { code, message } = failure;
      observer.refused(code, false);
      log.warn({ num: block.number, hash: block.idHex, type: code, reason: message }, 'a block of a sync is refused');
      if (code === 'BLOCK_SIGN_ERROR' || code === 'BLOCK_MERKLE_ERROR') {
        this.release(block.idHex, peer);
        peer.disconnect('BAD_BLOCK');
        return;
      }
    }
    const left = Math.max(0, ...peers.active().map(({ toFetch, remaining }) => toFetch.length + remaining));
    if (failure === undefined) {
      peer.blockCameMs = this.options.now();
      this.progress.applied(block.number, left);
      // What is known is not asked for; should it be forgotten with a branch that fails, it is asked for again.
      this.requested.delete(block.idHex);
    }
    for (const other of this.waitingFor(block.idHex)) {
      const id = other.toFetch.shift() as BlockId;
      if (failure !== undefined) {
        other.disconnect('BAD_BLOCK');
        continue;
      }
      other.setCommonBlock(id);
      if (other.toFetch.length === 0 && other.mayFetch) this.askForIds(other);
    }
  }

  /** Peers of whose chain it is the next block. */
  private waitingFor(id: string): readonly Peer[] {
    return this.options.peers.active().filter(({ toFetch }) => toFetch[0]?.hex === id);
  }

  /**
   * Its parent was known when the block was asked for, and was forgotten since with a branch that failed: nobody is to blame, those who
   * have the block are asked anew. @returns whether nobody else waits for it: it is kept until its turn comes
   */
  private restsOnForgotten(block: DecodedBlock): boolean {
    const { chain } = this.options;
    const waiting = this.waitingFor(block.idHex);
    const innocent = waiting.filter(
      ({ commonBlock }) => commonBlock.hex === block.parentIdHex && !chain.isKnown(commonBlock),
    );
    for (const other of innocent) this.startAgain(other, other.toFetch.at(-1)!);
    return innocent.length > 0 && innocent.length === waiting.length;
  }

  private take(block: DecodedBlock): P2pError | undefined {
    try {
      this.options.chain.takeSynced(block);
      this.options.taken(block);
      return undefined;
    } catch (error) {
      if (error instanceof P2pError) return error;
      this.options.log.error({ err: error, num: block.number }, 'a block of a sync could not be executed');
      return new P2pError('BAD_BLOCK', error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  /**
   * Blocks of heights that became irreversible while they waited. Whose next block one of them is has perhaps left its branch since; the
   * reference waits until the peer's time is over, and hears nothing of it meanwhile.
   */
  private dropSolidified(): void {
    const { chain } = this.options;
    const { number } = chain.solidified;
    for (const [id, { block, peer }] of this.waiting) {
      if (block.number > number) continue;
      this.forget(id);
      peer.inProcess.delete(id);
      if (chain.isKnown({ hex: id, number: block.number })) continue;
      for (const other of this.waitingFor(id)) this.startAgain(other, other.toFetch.at(-1)!);
    }
  }

  private forget(id: string): void {
    this.waitingBytes -= this.waiting.get(id)?.block.bytes.length ?? 0;
    this.waiting.delete(id);
  }

  private release(id: string, peer: Peer): void {
    if (this.requested.get(id) === peer) this.requested.delete(id);
  }
}
