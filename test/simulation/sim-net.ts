import { Duplex } from 'node:stream';
import type { ByteLink } from '../../src/p2p/links/stream-socket.js';
import type { HostPort } from '../../src/p2p/transport/node-address.js';
import type { Owner, SimTime } from './sim-time.js';

/** A host of the network. */
export interface SimHost extends Owner {
  readonly host: string;
  /** Accepts a connection. Undefined while the node is not running. */
  accept: ((link: ByteLink) => void) | undefined;
}

/** Delay and faults of all messages. Probabilities are from 0 to 1. */
export interface NetworkConditions {
  readonly delayMs: readonly [least: number, most: number];
  readonly loss: number;
  readonly overtaking: number;
}

/** A network partition. Until `untilMs`, no message passes between the hosts of `side` and the other hosts. */
export interface Cut {
  readonly side: ReadonlySet<string>;
  readonly untilMs: number;
  /**
   * True if the partition resets the connections. False if messages arrive after its end, because TCP sends them again.
   */
  readonly breaks: boolean;
}

/** Number of messages at the start of a connection (the handshake) that are never lost or reordered. */
const SAFE_MESSAGES = 3;

/** Simulated connections between the nodes of one process. Written bytes arrive with a delay, or are lost. */
export class SimNet {
  readonly time: SimTime;
  conditions: NetworkConditions;
  readonly cuts = new Set<Cut>();
  private readonly places = new Map<string, SimHost>();
  private readonly links = new Set<SimLink>();
  private readonly random: () => number;
  private ports = 40_000;
  carried = 0;
  lost = 0;

  constructor(time: SimTime, conditions: NetworkConditions, random: () => number) {
    this.time = time;
    this.conditions = conditions;
    this.random = random;
  }

  add(place: SimHost): void {
    this.places.set(place.host, place);
  }

  /** Dials a host. The returned link emits `connect`, or an error if there is no route. */
  connect(from: SimHost, { host, port }: HostPort): ByteLink {
    const here = new SimLink(this, from, { host, port });
    const there = this.places.get(host);
    if (there === undefined || this.cutBetween(from.host, host) !== undefined) {
      this.time.after(this.delay(), from, () => void here.destroy(new Error('no route')));
      return here;
    }
    this.time.after(this.delay(), there, () => {
      if (here.destroyed || there.accept === undefined) {
        this.time.after(this.delay(), from, () => void here.destroy(new Error('connection refused')));
        return;
      }
      const end = new SimLink(this, there, { host: from.host, port: this.ports++ });
      here.pair(end);
      this.links.add(here).add(end);
      there.accept(end);
      this.time.after(this.delay(), from, () => here.connected());
    });
    return here;
  }

  /** Delivers bytes to the other end after a delay, or drops them, by the current network conditions and partitions. */
  carry(from: SimLink, bytes: Buffer): void {
    const { other } = from;
    if (other === undefined) return;
    this.carried++;
    const isSafe = from.sent++ < SAFE_MESSAGES;
    const { loss, overtaking } = this.conditions;
    const isLost = this.random() < loss;
    const overtakes = this.random() < overtaking;
    if (isLost && !isSafe) {
      this.lost++;
      return;
    }
    const cut = this.cutBetween(from.place.host, other.place.host);
    if (cut?.breaks === true) return;
    const earliest = Math.max(this.time.nowMs, cut?.untilMs ?? 0);
    let atMs = earliest + this.delay();
    if (isSafe || !overtakes) {
      atMs = Math.max(atMs, from.arrivesMs);
      from.arrivesMs = atMs;
    }
    this.time.at(atMs, other.place, () => other.receive(bytes));
  }

  /** Closes the other end of a connection, with a delay. */
  ended(link: SimLink): void {
    this.links.delete(link);
    const { other } = link;
    if (other === undefined || other.destroyed) return;
    const cut = this.cutBetween(link.place.host, other.place.host);
    const atMs = Math.max(link.arrivesMs, this.time.nowMs + this.delay(), cut?.untilMs ?? 0);
    link.arrivesMs = atMs;
    this.time.at(atMs, other.place, () => void other.destroy());
  }

  cut(cut: Cut): void {
    this.cuts.add(cut);
    this.time.at(cut.untilMs, undefined, () => void this.cuts.delete(cut));
    if (!cut.breaks) return;
    for (const link of [...this.links]) {
      if (cut.side.has(link.place.host) === cut.side.has(link.peer.host)) continue;
      this.time.after(this.delay(), link.place, () => void link.destroy(new Error('connection reset')));
    }
  }

  /** Closes all connections of a crashed node, as the operating system does. */
  crashed(place: SimHost): void {
    for (const link of [...this.links]) {
      if (link.place !== place) continue;
      this.links.delete(link);
      const { other } = link;
      if (other !== undefined) this.time.after(this.delay(), other.place, () => void other.destroy());
    }
  }

  private cutBetween(a: string, b: string): Cut | undefined {
    let found: Cut | undefined;
    for (const cut of this.cuts) {
      if (cut.side.has(a) !== cut.side.has(b) && (found === undefined || found.untilMs < cut.untilMs)) found = cut;
    }
    return found;
  }

  private delay(): number {
    const [least, most] = this.conditions.delayMs;
    return least + this.random() * (most - least);
  }
}

/** One end of a connection. */
export class SimLink extends Duplex implements ByteLink {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly place: SimHost;
  readonly peer: HostPort;
  other: SimLink | undefined;
  sent = 0;
  /** Time at which the newest message arrives, in ms. A later message never arrives earlier, unless it is reordered. */
  arrivesMs = 0;
  private readonly net: SimNet;

  constructor(net: SimNet, place: SimHost, peer: HostPort) {
    super({ allowHalfOpen: false });
    this.net = net;
    this.place = place;
    this.peer = peer;
    this.remoteAddress = peer.host;
    this.remotePort = peer.port;
  }

  pair(other: SimLink): void {
    this.other = other;
    other.other = this;
  }

  connected(): void {
    if (!this.destroyed) this.emit('connect');
  }

  receive(bytes: Buffer): void {
    if (!this.destroyed) this.push(bytes);
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }

  override _read(): void {
    // Nothing to request: `receive` pushes bytes as soon as they arrive.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.net.carry(this, chunk);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.net.ended(this);
    done(error);
  }
}
