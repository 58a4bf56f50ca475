import type { Logger } from 'pino';
import { itemAt } from '../../primitives/assert.js';
import type { DialLimits } from '../transport/dial-pool.js';
import type { Reason } from '../wire/messages.js';
import type { Peer } from './peer.js';
import type { PeerSet } from './peer-set.js';

/** Time until the first check of each kind, in ms. Reference: ResilienceService.init. */
const FIRST_MS = 300_000;
/** Time between two calls of `evictWhenFull`, in ms. */
const FULL_PERIOD_MS = 30_000;
/** Time between two calls of `evictOnLan`, in ms. */
const LAN_PERIOD_MS = 10_000;
/** Time between two calls of `evictWhenIsolated`, in ms. */
const ISOLATED_PERIOD_MS = 30_000;
/** Time without a block after which a node with peers in sync counts as isolated, in ms. */
const NO_BLOCK_MS = 60_000;
/** Share of the maximum number of connections that an isolated node retains when it evicts peers. */
const KEPT_SHARE = 0.8;
/**
 * When all connections are in use, an untrusted peer in sync may be evicted if at least this number of untrusted peers
 * is in sync.
 */
const IN_SYNC_ENOUGH = 3;
/**
 * When all connections are in use, an untrusted peer from which this node syncs may be evicted if there are at least
 * this number of such peers.
 */
const SOURCES_ENOUGH = 2;
/** Idle time in ms for one unit of weight. The chance of a peer to be evicted is proportional to its weight. */
const CHANCE_MS = 500;

export interface ResilienceOptions {
  readonly peers: PeerSet;
  readonly limits: DialLimits;
  /** Idle time in ms after which a peer may be evicted. Configured by `node.inactiveThreshold`. */
  readonly idleMs: number;
  /** Returns the time of the last import, or of the process start if no block was imported, in ms. */
  readonly savedMs: () => number;
  readonly log: Logger;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. Set only by tests. */
  readonly random?: () => number;
}

/** Evicts idle peers, so that other nodes can connect. Reference: ResilienceService. */
export class Resilience {
  private readonly options: ResilienceOptions;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(options: ResilienceOptions) {
    this.options = options;
  }

  start(): void {
    const checks: readonly (readonly [check: () => void, periodMs: number])[] = [
      ...(this.options.limits.evictsWhenFull ? [[() => this.evictWhenFull(), FULL_PERIOD_MS] as const] : []),
      [() => this.evictOnLan(), LAN_PERIOD_MS],
      [() => this.evictWhenIsolated(), ISOLATED_PERIOD_MS],
    ];
    const first = setTimeout(() => {
      for (const [check, periodMs] of checks) {
        check();
        this.timers.push(setInterval(check, periodMs));
      }
    }, FIRST_MS);
    this.timers.push(first);
  }

  close(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }

  /**
   * Evicts one untrusted peer if all connections are in use. If at least IN_SYNC_ENOUGH peers are in sync, chooses from
   * the half of them whose last accepted block is oldest. A longer idle time increases the chance of a peer. Otherwise,
   * chooses one of the peers that sync from this node, with equal chances. If this node syncs from at least
   * SOURCES_ENOUGH peers, these peers may also be chosen.
   */
  evictWhenFull(): void {
    const { peers, limits, now } = this.options;
    if (peers.active().length < limits.maxConnections) return;
    const untrusted = peers.active().filter(isUntrusted);
    const inSync = untrusted.filter(({ isInSync }) => isInSync);
    if (inSync.length >= IN_SYNC_ENOUGH) {
      const useless = [...inSync]
        .sort((a, b) => a.blockReceivedMs - b.blockReceivedMs)
        .slice(0, Math.floor(inSync.length / 2));
      const chances = useless.map(({ usefulMs }) => Math.max(Math.ceil((now() - usefulMs) / CHANCE_MS), 1));
      this.evict(this.chosen(useless, chances), 'RANDOM_ELIMINATION', 'full');
      return;
    }
    const hasSources = untrusted.filter(({ needsSyncFromPeer }) => needsSyncFromPeer).length >= SOURCES_ENOUGH;
    const syncing = untrusted.filter((peer) => peer.needsSyncFromUs || (hasSources && peer.needsSyncFromPeer));
    const even = syncing.map(() => 1);
    this.evict(this.chosen(syncing, even), 'RANDOM_ELIMINATION', 'full');
  }

  /**
   * Evicts the idle peer with the longest idle time if this node has enough connections and all of them are outgoing.
   * In this case, other nodes probably cannot dial this node.
   */
  evictOnLan(): void {
    const { peers, limits, idleMs, now } = this.options;
    const all = peers.active();
    const isLan = all.length >= limits.minActiveConnections && all.every(({ channel }) => channel.isActive);
    if (!isLan || all.length < limits.minConnections) return;
    const idle = all.filter((peer) => now() - peer.usefulMs >= idleMs && peer.isInSync && isUntrusted(peer));
    this.evict(oldestOf(idle)[0], 'BAD_PROTOCOL', 'lan');
  }

  /**
   * Evicts peers if peers are in sync, but this node has imported no block for a minute: one outgoing peer, and
   * incoming peers above {@link KEPT_SHARE}.
   */
  evictWhenIsolated(): void {
    const { peers, limits, savedMs, now } = this.options;
    const all = peers.active();
    if (!all.some(({ isInSync }) => isInSync) || now() - savedMs() < NO_BLOCK_MS) return;
    const dialled = all.filter(({ channel }) => channel.isActive);
    if (dialled.length >= limits.minActiveConnections)
      this.evict(oldestOf(dialled.filter(isUntrusted))[0], 'BAD_PROTOCOL', 'isolated');
    const left = peers.active();
    const surplus = left.length - Math.trunc(limits.maxConnections * KEPT_SHARE);
    const incoming = left.filter((peer) => isUntrusted(peer) && !peer.channel.isActive);
    for (const peer of oldestOf(incoming).slice(0, Math.max(0, surplus))) this.evict(peer, 'BAD_PROTOCOL', 'isolated');
  }

  private chosen(peers: readonly Peer[], chances: readonly number[]): Peer | undefined {
    const { random = Math.random } = this.options;
    let left = Math.floor(random() * chances.reduce((sum, chance) => sum + chance, 0));
    return peers.find((_, at) => {
      left -= itemAt(chances, at);
      return left < 0;
    });
  }

  private evict(peer: Peer | undefined, reason: Reason, why: 'full' | 'lan' | 'isolated'): void {
    if (peer === undefined) return;
    const { log, now } = this.options;
    log.info({ peer: peer.channel.key, idleMs: now() - peer.usefulMs, why }, 'evicting peer');
    peer.disconnect(reason);
  }
}

function isUntrusted({ channel }: Peer): boolean {
  return !channel.isTrusted;
}

/** Returns the peers sorted by idle time, longest first. */
function oldestOf(peers: readonly Peer[]): readonly Peer[] {
  return [...peers].sort((a, b) => a.usefulMs - b.usefulMs);
}
