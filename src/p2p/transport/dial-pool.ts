import { isIPv6 } from 'node:net';
import { BoundedCache } from '../bounded-cache.js';
import type { TransportRules } from '../releases/transport-rules.js';
import type { Channel } from './channel.js';
import type { ChannelTable } from './channel-table.js';
import { createNodeId, type HostPort, hostPortKey, type NodeAddress } from './node-address.js';

/** Time until the first round of dialling, in ms. Reference: ConnPoolService.init. */
const FIRST_MS = 200;
/** Time between two rounds of dialling, in ms. */
const PERIOD_MS = 3600;
/** Time in ms until a dialled address may be dialled again. Reference: ConnPoolService.peerClientCache. */
const DIALLED_LIFE_MS = 120_000;
/** Maximum number of cached addresses that were dialled and must not be dialled again yet. */
const DIALLED_MAX = 1000;
/** Interval of random disconnects when all connections are in use, in ms. Reference: ConnPoolService.init */
const EVICTION_PERIOD_MS = 30_000;

export interface DialLimits {
  /**
   * Number of connections below which the node dials more peers. Configured by `node.minConnections`, but at most
   * `maxConnections`. Reference: TronNetService.updateConfig.
   */
  readonly minConnections: number;
  /**
   * Minimum number of outgoing connections. Configured by `node.minActiveConnections`, but at most `minConnections`.
   */
  readonly minActiveConnections: number;
  /** Maximum number of connections. Configured by `node.maxConnections`. */
  readonly maxConnections: number;
  /** Maximum number of connections with the same address. Configured by `node.maxConnectionsWithSameIp`. */
  readonly maxConnectionsWithSameIp: number;
  /**
   * True to close a random incoming connection at intervals while all connections are in use. Trusted addresses are
   * exempt. Only some releases do this. Configured by `node.isOpenFullTcpDisconnect`.
   */
  readonly evictsWhenFull: boolean;
}

interface DialPoolOptions extends DialLimits {
  readonly rules: TransportRules;
  readonly table: ChannelTable;
  readonly self: () => NodeAddress;
  /** Returns the nodes of `node.active`. Each round dials those that are not connected. */
  readonly activeNodes: () => readonly HostPort[];
  /** Returns reachable nodes found by discovery, most recently active first. */
  readonly candidates: () => readonly NodeAddress[];
  /** Returns nodes with free connections, most free connections first. They are dialled before other candidates. */
  readonly detected?: () => readonly NodeAddress[];
  /** Returns nodes listed by DNS trees. They are dialled only if no other nodes are left. */
  readonly listed?: () => readonly NodeAddress[];
  readonly dial: (target: HostPort, nodeId: string) => void;
  /** Returns a random number from 0 to 1. Set only by tests. */
  readonly random?: () => number;
  readonly now: () => number;
}

/** Dials nodes in rounds until there are enough connections. Reference: ConnPoolService. */
export class DialPool {
  private readonly options: DialPoolOptions;
  private readonly dialled: BoundedCache<true>;
  /**
   * Nodes that `node.active` listed when this object was created. `connect` dials them even if there are enough
   * connections. `dialling` does not count them.
   */
  private readonly configured: ReadonlySet<string>;
  private readonly connected = new Set<Channel>();
  /** Number of outgoing connections, open or being opened. Nodes in `configured` are not counted. */
  private dialling = 0;
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(options: DialPoolOptions) {
    this.options = options;
    this.dialled = new BoundedCache({ entriesMax: DIALLED_MAX, lifeMs: DIALLED_LIFE_MS, now: options.now });
    this.configured = new Set(options.activeNodes().map(hostPortKey));
  }

  start(): void {
    const round = (): void => this.connect(true);
    this.timers.push(setTimeout(round, FIRST_MS), setInterval(round, PERIOD_MS));
    const { evictsWhenFull, rules } = this.options;
    if (evictsWhenFull && rules.evictsAtRandom) this.timers.push(setInterval(() => this.evict(), EVICTION_PERIOD_MS));
  }

  close(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
  }

  opened(channel: Channel): void {
    this.connected.add(channel);
  }

  closed(channel: Channel): void {
    this.connected.delete(channel);
  }

  /** Called when a dialled connection ended, or could not be opened. */
  dialEnded(target: HostPort): void {
    if (this.configured.has(hostPortKey(target))) return;
    this.dialling--;
    if (this.timers.length > 0) this.connect(false);
  }

  private connect(withActive: boolean): void {
    const { table, activeNodes } = this.options;
    const hosts = new Set(table.all().map(({ host }) => host));
    const used = this.addressesInUse();
    const ids = new Set([this.options.self().id, ...table.all().flatMap(({ nodeId }) => nodeId ?? [])]);
    if (withActive) {
      for (const target of activeNodes()) {
        if (used.has(hostPortKey(target)) || hosts.has(target.host)) continue;
        hosts.add(target.host);
        used.add(hostPortKey(target));
        if (this.hasFamilyOf(target)) this.dial(target, createNodeId());
      }
    }
    let lack = this.lack();
    if (lack <= 0) return;
    for (const node of this.candidates(lack, (one) => this.freeTargetOf(one, ids, used) !== undefined)) {
      const target = this.freeTargetOf(node, ids, used);
      if (target === undefined) continue;
      ids.add(node.id);
      for (const key of keysOf(node)) used.add(key);
      this.dial(target, node.id);
      if (--lack === 0) return;
    }
  }

  /**
   * Returns the address at which to dial a node, in an address family that this node has. Prefers IPv4. Undefined if no
   * address is usable.
   */
  targetOf({ ipv4, ipv6, port }: NodeAddress): HostPort | undefined {
    const self = this.options.self();
    if (ipv4 !== undefined && self.ipv4 !== undefined) return { host: ipv4, port };
    return ipv6 !== undefined && self.ipv6 !== undefined ? { host: ipv6, port } : undefined;
  }

  /** Yields candidates in order of preference. Each source is read only if the previous sources did not suffice. */
  private *candidates(count: number, isFree: (node: NodeAddress) => boolean): Generator<NodeAddress> {
    const { rules, candidates, detected = () => [], listed = () => [] } = this.options;
    yield* detected();
    if (rules.candidatesFor === undefined) yield* candidates();
    else yield* this.shuffled(candidates().filter(isFree).slice(0, rules.candidatesFor(count)));
    yield* this.shuffled(listed());
  }

  /** Returns true if this node has the address family of an address. Reference: Node.getPreferInetSocketAddress. */
  private hasFamilyOf({ host }: HostPort): boolean {
    const { ipv4, ipv6 } = this.options.self();
    return (isIPv6(host) ? ipv6 : ipv4) !== undefined;
  }

  private shuffled(nodes: readonly NodeAddress[]): readonly NodeAddress[] {
    const { random = Math.random } = this.options;
    const drawn = nodes.map((node) => ({ node, lot: random() }));
    return drawn.sort((a, b) => a.lot - b.lot).map(({ node }) => node);
  }

  private freeTargetOf(node: NodeAddress, ids: ReadonlySet<string>, used: ReadonlySet<string>): HostPort | undefined {
    const target = this.targetOf(node);
    return target === undefined || ids.has(node.id) || !this.isFree(target, used) ? undefined : target;
  }

  private lack(): number {
    const { maxConnections } = this.options;
    const minConnections = Math.min(this.options.minConnections, maxConnections);
    const minActiveConnections = Math.min(this.options.minActiveConnections, minConnections);
    const lackActive = minActiveConnections - this.dialling;
    if (minConnections <= this.connected.size && lackActive <= 0) return 0;
    const passive = [...this.connected].filter(({ isActive }) => !isActive).length;
    return Math.max(minConnections - this.dialling - passive, lackActive);
  }

  private addressesInUse(): Set<string> {
    const { table, self } = this.options;
    const used = new Set(keysOf(self()));
    for (const channel of table.all()) {
      used.add(channel.key);
      if (channel.announced !== undefined) for (const key of keysOf(channel.announced)) used.add(key);
    }
    return used;
  }

  private isFree(target: HostPort, used: ReadonlySet<string>): boolean {
    const { table, maxConnectionsWithSameIp } = this.options;
    return (
      !table.bans.isBanned(target.host) &&
      table.countOf(target.host) < maxConnectionsWithSameIp &&
      !this.dialled.has(target.host) &&
      !used.has(hostPortKey(target))
    );
  }

  private dial(target: HostPort, nodeId: string): void {
    this.dialled.set(target.host, true);
    if (!this.configured.has(hostPortKey(target))) this.dialling++;
    this.options.dial(target, nodeId);
  }

  private evict(): void {
    if (this.options.table.size < this.options.maxConnections) return;
    const peers = [...this.connected].filter(
      ({ isClosed, isTrusted, isActive }) => !isClosed && !isTrusted && !isActive,
    );
    peers[Math.floor((this.options.random ?? Math.random)() * peers.length)]?.close();
  }
}

function keysOf({ ipv4, ipv6, port }: NodeAddress): string[] {
  return [ipv4, ipv6].flatMap((host) => (host === undefined ? [] : hostPortKey({ host, port })));
}
