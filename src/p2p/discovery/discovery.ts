import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import type { Logger } from 'pino';
import { present } from '../../primitives/assert.js';
import { toHex } from '../../primitives/bytes.js';
import type { TransportRules } from '../releases/transport-rules.js';
import { type HostPort, mappedHost, NODE_ID_BYTES, type NodeAddress, plainHost } from '../transport/node-address.js';
import { PeerCpuQuota } from '../transport/peer-cpu-quota.js';
import { DATAGRAM_BYTES_MAX, type DiscoveryMessage, decodeDiscovery, encodeDiscovery } from './discovery-message.js';
import {
  addressOfNode,
  createKnownNode,
  isConnectable,
  isSilent,
  type KnownNode,
  type NodeState,
  preferredAddress,
} from './known-node.js';
import { KnownNodes } from './known-nodes.js';
import { NodeTable } from './node-table.js';

/** Time after which an unanswered ping is repeated, in ms. Reference: KadService.pingTimeout. */
const PONG_TIMEOUT_MS = 15_000;
/**
 * A lookup starts LOOKUP_PERIOD_MS after the last step of the previous lookup. It has at most STEPS_MAX steps, which
 * start STEP_MS apart. Each step queries REQUESTS_PER_STEP nodes. Every fifth lookup searches for the id of this node.
 * Reference: KademliaOptions.
 */
const LOOKUP_PERIOD_MS = 7200;
const STEP_MS = 100;
const REQUESTS_PER_STEP = 3;
const STEPS_MAX = 8;
const OWN_ID_EACH = 5;

interface DiscoveryOptions {
  readonly rules: TransportRules;
  readonly self: () => NodeAddress;
  /** UDP port. It has the same number as the TCP port. */
  readonly port: number;
  /** Local address to listen on; undefined for all addresses. */
  readonly host?: string;
  readonly networkId: number;
  /** Nodes that are pinged at the start. */
  readonly seeds: readonly HostPort[];
  /** Called with the size of each datagram, in bytes. */
  readonly bytes?: (kind: 'udpIn' | 'udpOut', count: number) => void;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Finds other nodes over UDP, with the Kademlia protocol. Reference: KadService.
 *
 * java-tron answers every request with up to ten times its bytes, even if the sender address is forged. Tronicle sends
 * an unverified address at most as many bytes as it received from this address. If an unverified node requests
 * neighbours, Tronicle first pings the node, and sends the neighbours after the pong.
 */
export class Discovery {
  private readonly options: DiscoveryOptions;
  private readonly table: NodeTable;
  private readonly known = new KnownNodes();
  /**
   * CPU time quota of all datagrams. Above it, datagrams are dropped, so that a flood does not delay blocks. A request
   * for neighbours takes 0.1 ms.
   */
  private readonly share = new PeerCpuQuota(() => performance.now());
  private socket: Socket | undefined;
  private lookupTimer: NodeJS.Timeout | undefined;
  private lookups = 0;
  /** True for an IPv6 socket, which reaches IPv4 addresses in their IPv6-mapped form. */
  private isDual = false;

  constructor(options: DiscoveryOptions) {
    const { self, now } = options;
    this.options = options;
    const ownHost = (): string | undefined => self().ipv4 ?? self().ipv6;
    this.table = new NodeTable({ ownId: self().id, ownHost, now });
  }

  /** Starts discovery. If the port is in use, the error is logged and discovery stays off. */
  async start(): Promise<void> {
    const { port, host, log, seeds, self } = this.options;
    this.isDual = self().ipv6 !== undefined;
    try {
      this.socket = await bind({ port, host }, this.isDual);
    } catch (error) {
      log.error({ err: error, port }, 'node discovery failed to start');
      return;
    }
    this.socket.on('message', (bytes, { address, port: from }) =>
      this.receive(bytes, { host: plainHost(address), port: from }),
    );
    this.socket.on('error', (error) => log.debug({ err: error }, 'discovery socket failed'));
    for (const seed of seeds) void this.addSeed(seed);
    this.nextLookup();
  }

  close(): void {
    clearTimeout(this.lookupTimer);
    for (const { pongTimer } of this.known.values()) clearTimeout(pongTimer);
    this.socket?.close();
    this.socket = undefined;
  }

  /**
   * Returns the nodes that can be dialled: verified nodes first, and within each group the most recently active first.
   */
  connectable(): readonly NodeAddress[] {
    const { networkId, self } = this.options;
    return [...this.known.values()]
      .filter((node) => isConnectable(node, networkId) && preferredAddress(node, self()) !== undefined)
      .sort((a, b) => Number(b.isProven) - Number(a.isProven) || b.updatedMs - a.updatedMs)
      .map(addressOfNode);
  }

  /** Returns the nodes of the table, most recently active first. */
  tableNodes(): readonly HostPort[] {
    const nodes = [...this.table.nodes()].sort((a, b) => b.updatedMs - a.updatedMs);
    return nodes.flatMap((node) => preferredAddress(node, this.options.self()) ?? []);
  }

  private async addSeed({ host, port }: HostPort): Promise<void> {
    try {
      const address = plainHost((await lookup(host)).address);
      const hosts = isIPv4(address) ? { ipv4: address, ipv6: undefined } : { ipv4: undefined, ipv6: address };
      if (this.socket !== undefined) this.nodeOf({ id: undefined, ...hosts, port }, port, true);
    } catch (error) {
      this.options.log.warn({ host, reason: error instanceof Error ? error.message : error }, 'seed lookup failed');
    }
  }

  private receive(bytes: Uint8Array, sender: HostPort): void {
    this.options.bytes?.('udpIn', bytes.length);
    if (this.share.restMs >= 1) return;
    const started = performance.now();
    try {
      this.take(sender, decodeDiscovery(bytes, this.options.rules.matchesWhole), bytes.length);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      this.options.log.debug({ peer: sender, reason }, 'discovery datagram dropped');
    } finally {
      this.share.worked(performance.now() - started);
    }
  }

  private take(sender: HostPort, message: DiscoveryMessage, size: number): void {
    const { from } = message;
    const hosts = isIPv4(sender.host) ? { ipv4: sender.host, ipv6: from.ipv6 } : { ipv4: from.ipv4, ipv6: sender.host };
    const node = this.nodeOf({ id: from.id, ...hosts, port: sender.port }, from.port, false);
    node.id = from.id;
    node.updatedMs = this.options.now();
    node.hasSentNothing = false;
    node.credit += size;
    this.answer(node, message);
    if (node.owesPing) this.ping(node);
  }

  private answer(node: KnownNode, message: DiscoveryMessage): void {
    const { self, networkId, now } = this.options;
    switch (message.kind) {
      case 'ping':
        if (node.id !== self().id)
          this.send(node, { kind: 'pong', from: this.homeFor(node), networkId, timeMs: now() });
        node.networkId = message.networkId;
        if (!isConnectable(node, networkId)) this.change(node, 'dead');
        else if (node.state === 'dead') this.change(node, 'discovered');
        break;
      case 'pong':
        if (node.pongTimer === undefined) return;
        clearTimeout(node.pongTimer);
        node.pongTimer = undefined;
        node.networkId = message.networkId;
        this.prove(node);
        this.change(node, isConnectable(node, networkId) ? 'alive' : 'dead');
        break;
      case 'findNode':
        if (node.isProven) this.send(node, this.neighboursOf(message.target, message.timeMs));
        else {
          node.question = message;
          this.ping(node);
        }
        break;
      case 'neighbours':
        if (!node.waitsForNeighbours) return;
        node.waitsForNeighbours = false;
        node.unanswered = 0;
        for (const found of message.nodes) if (found.id !== self().id) this.nodeOf(found, found.port, true);
    }
  }

  /**
   * Returns the known node with this address. If no such node is known, adds a node and pings it.
   * @param hasSentNothing initial value of `KnownNode.hasSentNothing` for a new node
   */
  private nodeOf(
    found: Omit<NodeAddress, 'id'> & { readonly id: string | undefined },
    announcedPort: number,
    hasSentNothing: boolean,
  ): KnownNode {
    const { self, networkId, now } = this.options;
    for (const host of [found.ipv4, found.ipv6]) {
      const known = host === undefined ? undefined : this.known.get({ host, port: found.port });
      if (known === undefined) continue;
      known.ipv4 ??= found.ipv4;
      known.ipv6 ??= found.ipv6;
      return known;
    }
    const node = createKnownNode(found, announcedPort, now(), hasSentNothing);
    const address = preferredAddress(node, self());
    if (address === undefined) return node;
    this.known.add(address, node, (one) => isConnectable(one, networkId));
    this.change(node, 'discovered');
    return node;
  }

  /** Changes the state of a node, and moves it into or out of the table. Reference: NodeHandler.changeState. */
  private change(node: KnownNode, nextState: NodeState): void {
    const before = node.state;
    let next = nextState;
    const host = preferredAddress(node, this.options.self())?.host ?? '';
    if (next === 'discovered' || next === 'evict-candidate') this.ping(node);
    if (next === 'alive') {
      const weakest = this.table.add(node, host);
      if (weakest === undefined) next = 'active';
      else if (weakest.state !== 'evict-candidate') {
        weakest.challenger = node;
        this.change(weakest, 'evict-candidate');
      }
    } else if (next === 'active' && before === 'alive') this.table.add(node, host);
    else if (next === 'dead' && before === 'evict-candidate') {
      this.table.drop(host);
      if (node.challenger !== undefined) this.change(node.challenger, 'active');
      node.challenger = undefined;
    }
    node.state = next;
  }

  /**
   * Sends a ping. If the ping exceeds the `credit` of an unverified node, the ping is postponed until the next datagram
   * from the node.
   */
  private ping(node: KnownNode): void {
    const { networkId, now } = this.options;
    const to = hasWholeAnswers(node) ? addressOfNode(node) : { ...addressOfNode(node), id: '' };
    node.owesPing = !this.send(node, { kind: 'ping', from: this.homeFor(node), to, networkId, timeMs: now() });
    if (node.owesPing) return;
    clearTimeout(node.pongTimer);
    node.pongTimer = setTimeout(() => this.timedOut(node), PONG_TIMEOUT_MS).unref();
  }

  /** Marks a node as verified, because it answered a ping. Then answers its postponed findNode request. */
  private prove(node: KnownNode): void {
    const { question } = node;
    node.isProven = true;
    node.owesPing = false;
    node.question = undefined;
    if (question !== undefined) this.send(node, this.neighboursOf(question.target, question.timeMs));
  }

  private timedOut(node: KnownNode): void {
    node.pongTimer = undefined;
    if (node.trials-- > 0) this.ping(node);
    else if (node.state === 'discovered' || node.state === 'evict-candidate') this.change(node, 'dead');
  }

  /**
   * Builds the answer to a findNode request: the nodes of the table that are nearest to the id `target`, as many as fit
   * into one datagram.
   */
  private neighboursOf(target: string, timeMs: number): DiscoveryMessage {
    const nodes = this.table.closest(target).map(addressOfNode);
    for (;;) {
      const message = { kind: 'neighbours', from: this.options.self(), nodes, timeMs } as const;
      if (nodes.length === 0 || encodeDiscovery(message).length < DATAGRAM_BYTES_MAX) return message;
      nodes.pop();
    }
  }

  private nextLookup(): void {
    this.lookups++;
    const target = this.lookups % OWN_ID_EACH === 0 ? this.options.self().id : toHex(randomBytes(NODE_ID_BYTES));
    this.lookUp(target, new Set(), 1);
  }

  private lookUp(target: string, queried: Set<string>, step: number): void {
    const { now } = this.options;
    const next = this.table.closest(target).filter(({ id }) => id !== undefined && !queried.has(id));
    const chosen = next.slice(0, REQUESTS_PER_STEP);
    for (const node of chosen) {
      queried.add(present(node.id, 'only nodes with an id are chosen'));
      if (this.isGivenUp(node)) continue;
      node.waitsForNeighbours = true;
      this.send(node, { kind: 'findNode', from: this.options.self(), target, timeMs: now() });
    }
    const isOver = chosen.length === 0 || step === STEPS_MAX;
    this.lookupTimer = setTimeout(
      () => (isOver ? this.nextLookup() : this.lookUp(target, queried, step + 1)),
      isOver ? LOOKUP_PERIOD_MS : STEP_MS,
    ).unref();
  }

  /**
   * Removes a node from the table after too many unanswered requests, if `NodeTable.dropSilent` permits the removal.
   * Reference: NodeHandler.sendFindNode.
   * @returns true if the node was removed and must not be queried again
   */
  private isGivenUp(node: KnownNode): boolean {
    const { rules, self } = this.options;
    if (!isSilent(node, rules.unansweredMax)) return false;
    if (!this.table.dropSilent(preferredAddress(node, self())?.host ?? '')) return false;
    this.change(node, 'dead');
    return true;
  }

  /**
   * Returns the address of this node, as announced to `node`. An unverified node receives the address of only one
   * family, so that the pong is not longer than the ping.
   */
  private homeFor(node: KnownNode): NodeAddress {
    const home = this.options.self();
    if (hasWholeAnswers(node)) return home;
    const isIpv4 = node.ipv4 !== undefined && home.ipv4 !== undefined;
    return { ...home, ...(isIpv4 ? { ipv6: undefined } : { ipv4: undefined }) };
  }

  /**
   * Sends a message. To an unverified node, sends only a message within the credit of the node.
   * @returns false if the message exceeds the credit; otherwise true, even if the node has no usable address
   */
  private send(node: KnownNode, message: DiscoveryMessage): boolean {
    const to = preferredAddress(node, this.options.self());
    if (to === undefined || this.socket === undefined || to.port === 0) return true;
    const host = this.isDual ? mappedHost(to.host) : to.host;
    const bytes = encodeDiscovery(message);
    if (!hasWholeAnswers(node)) {
      if (bytes.length > node.credit) return false;
      node.credit -= bytes.length;
    }
    this.socket.send(bytes, to.port, host, () => undefined);
    this.options.bytes?.('udpOut', bytes.length);
    return true;
  }
}

/** Returns true if messages to a node may exceed its `credit`: the node is verified, or it has sent nothing yet. */
function hasWholeAnswers({ isProven, hasSentNothing }: KnownNode): boolean {
  return isProven || hasSentNothing;
}

function bind({ port, host }: { port: number; host: string | undefined }, isDual: boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isDual ? 'udp6' : 'udp4');
    socket.once('error', reject);
    socket.bind({ port, ...(host !== undefined && { address: host }) }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
