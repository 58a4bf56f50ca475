import type { LocalChain } from '../local-chain.js';
import { itemKey, type Peer } from '../peers/peer.js';
import type { PeerSet } from '../peers/peer-set.js';
import { blockIdOfHex } from '../wire/block-id.js';
import { encodeItems } from '../wire/messages.js';

/** Interval between two checks of the watched request, in ms. Reference: FetchBlockService.init. */
const CHECK_MS = 50;
/**
 * Before the request times out, a second peer receives a request only if its expected response time is below this share
 * of the first peer's remaining time. The remaining time is the expected response time of the first peer minus the time
 * since the request.
 */
const REMAINING_TIME_SHARE = 0.5;

interface FetchWatchOptions {
  readonly chain: LocalChain;
  readonly peers: PeerSet;
  /** Time limit for the requested block, in ms. Configured by `node.fetchBlock.timeout`. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** Requests the next block from a second peer if the first peer is slow. Reference: FetchBlockService. */
export class FetchWatch {
  private readonly options: FetchWatchOptions;
  private watched: { readonly id: string; readonly peer: Peer; readonly sinceMs: number } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: FetchWatchOptions) {
    this.options = options;
  }

  close(): void {
    this.clear();
  }

  /**
   * Called when blocks were requested. Watches at most one request: the request for the block that follows the head.
   */
  fetching(ids: readonly string[], peer: Peer): void {
    if (this.watched !== undefined) return;
    const { chain, now } = this.options;
    const id = ids.find((hex) => blockIdOfHex(hex).number === chain.head.number + 1);
    if (id === undefined) return;
    this.watched = { id, peer, sinceMs: now() };
    this.timer = setInterval(() => this.check(), CHECK_MS);
  }

  received(id: string): void {
    if (this.watched?.id === id) this.clear();
  }

  private check(): void {
    const { peers, timeoutMs, now } = this.options;
    if (this.watched === undefined) return;
    const { id, peer, sinceMs } = this.watched;
    const key = itemKey({ kind: 'block', id });
    const waitedMs = now() - sinceMs;
    const [fastest] = peers
      .active()
      .filter((other) => other !== peer && other.isIdle && other.received.has(key) && other.blockLatency75 <= timeoutMs)
      .sort((a, b) => a.blockLatency75 - b.blockLatency75);
    if (fastest === undefined) {
      if (waitedMs >= timeoutMs) this.clear();
      return;
    }
    if (!this.isWorthIt(fastest, peer, waitedMs)) return;
    fastest.itemRequests.set(key, now());
    fastest.send(encodeItems('FETCH_INV_DATA', { kind: 'block', ids: [id] }));
    this.clear();
  }

  private isWorthIt(other: Peer, first: Peer, waitedMs: number): boolean {
    const { timeoutMs } = this.options;
    const expected = first.blockLatency75;
    if (expected > timeoutMs || waitedMs >= timeoutMs) return true;
    const left = expected - waitedMs;
    return other.blockLatency75 < left * REMAINING_TIME_SHARE && waitedMs + other.blockLatency75 < timeoutMs;
  }

  private clear(): void {
    clearInterval(this.timer);
    this.watched = undefined;
  }
}
