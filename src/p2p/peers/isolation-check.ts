import type { Logger } from 'pino';
import { BoundedCache } from '../bounded-cache.js';
import { createNodeId, type HostPort, hostPortKey, type NodeAddress } from '../transport/node-address.js';
import type { PeerSet } from './peer-set.js';

/** Time until the first check, in ms. Reference: EffectiveCheckService.init. */
const FIRST_MS = 60_000;
/** Time between two checks, in ms. */
const PERIOD_MS = 5000;
/** Time in ms within which the dialled node must announce newer blocks. Reference: MAX_HANDSHAKE_TIME. */
const CHOSEN_MS = 60_000;
/** Time in ms for which a node is skipped after it was dialled. */
const TRIED_LIFE_MS = 1_200_000;
/** Maximum number of cached addresses of nodes that are skipped. */
const TRIED_MAX = 10_000;

interface IsolationCheckOptions {
  readonly peers: PeerSet;
  /** Returns nodes found by discovery, most recently active first. */
  readonly candidates: () => readonly NodeAddress[];
  readonly targetOf: (node: NodeAddress) => HostPort | undefined;
  /** Returns nodes that are dialled permanently. */
  readonly activeNodes: () => readonly HostPort[];
  /** Dials a node. @param ended called when the node is unreachable or disconnected */
  readonly dial: (target: HostPort, nodeId: string, ended: () => void) => void;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Dials one additional node at a time while every peer has to sync from this node. Enabled by
 * `node.effectiveCheckEnable`. Reference: EffectiveCheckService.
 */
export class IsolationCheck {
  private readonly options: IsolationCheckOptions;
  private readonly tried: BoundedCache<true>;
  private readonly timers: NodeJS.Timeout[] = [];
  private chosen: HostPort | undefined;
  private isClosed = false;

  constructor(options: IsolationCheckOptions) {
    this.options = options;
    this.tried = new BoundedCache({ entriesMax: TRIED_MAX, lifeMs: TRIED_LIFE_MS, now: options.now });
  }

  start(): void {
    const first = setTimeout(() => {
      this.check();
      this.timers.push(setInterval(() => this.check(), PERIOD_MS));
    }, FIRST_MS);
    this.timers.push(first);
  }

  close(): void {
    this.isClosed = true;
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }

  /**
   * Returns true for a connection to the node that this check has dialled. The connection is closed if the node
   * announces no newer blocks within CHOSEN_MS.
   */
  isChosen({ host, port, isActive }: HostPort & { readonly isActive: boolean }): boolean {
    return isActive && this.chosen !== undefined && hostPortKey(this.chosen) === hostPortKey({ host, port });
  }

  check(): void {
    const { peers, log, now } = this.options;
    if (peers.active().some(({ needsSyncFromUs }) => !needsSyncFromUs)) return;
    if (this.chosen === undefined) {
      this.tryNext();
      return;
    }
    for (const peer of peers.active()) {
      if (!this.isChosen(peer.channel) || now() - peer.channel.startMs < CHOSEN_MS) continue;
      log.info({ peer: peer.channel.key }, 'isolation check: the dialled peer has no newer blocks, disconnecting');
      peer.disconnect('BELOW_THAN_ME');
    }
  }

  private tryNext(): void {
    const { dial, log } = this.options;
    const next = this.nextNode();
    if (next === undefined) {
      log.warn('isolation check: no peer has newer blocks, and no other known node can be tried');
      return;
    }
    const { target, id } = next;
    this.tried.set(hostPortKey(target), true);
    this.chosen = target;
    log.info({ peer: target }, 'isolation check: dialling another node');
    dial(target, id, () => {
      if (this.chosen !== target) return;
      this.chosen = undefined;
      if (!this.isClosed) this.check();
    });
  }

  private nextNode(): { readonly target: HostPort; readonly id: string } | undefined {
    const { peers, candidates, targetOf, activeNodes } = this.options;
    const used = new Set([...peers.active().map(({ channel }) => channel), ...activeNodes()].map(hostPortKey));
    for (const node of candidates()) {
      const target = targetOf(node);
      if (target === undefined || used.has(hostPortKey(target)) || this.tried.has(hostPortKey(target))) continue;
      return { target, id: node.id || createNodeId() };
    }
    return undefined;
  }
}
