import { Duplex } from 'node:stream';
import type { ByteLink } from '../../src/p2p/links/stream-socket.js';
import type { HostPort } from '../../src/p2p/transport/node-address.js';
import type { Owner, SimTime } from './sim-time.js';

/** A node as the net sees it. */
export interface Place extends Owner {
  readonly host: string;
  /** Undefined while it does not run. */
  accept: ((link: ByteLink) => void) | undefined;
}

/** Faults of the network for a time. Probabilities are from 0 to 1. */
export interface Weather {
  readonly delayMs: readonly [least: number, most: number];
  readonly loss: number;
  readonly overtaking: number;
}

/** Hosts on one side cannot be reached from the others, from a time to another. */
export interface Cut {
  readonly side: ReadonlySet<string>;
  readonly untilMs: number;
  /** Connections break; else what is sent waits in between, as TCP sends again. */
  readonly breaks: boolean;
}

/** Messages of a connection that are never lost nor overtaken: the handshake is TCP's business. */
const SAFE_MESSAGES = 3;

/** Connections between nodes of one process; what is written arrives later, or not at all. */
export class SimNet {
  readonly time: SimTime;
  weather: Weather;
  readonly cuts = new Set<Cut>();
  private readonly places = new Map<string, Place>();
  private readonly links = new Set<SimLink>();
  private readonly random: () => number;
  private ports = 40_000;
  carried = 0;
  lost = 0;

  constructor(time: SimTime, weather: Weather, random: () => number) {
    this.time = time;
    this.weather = weather;
    this.random = random;
  }

  add(place: Place): void {
    this.places.set(place.host, place);
  }

  /** Dial options of a node. */
  connect(from: Place, { host, port }: HostPort): ByteLink {
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
      this.time.after(this.delay(), from, () => here.stands());
    });
    return here;
  }

  /** Brings bytes to the other end, or loses them. */
  carry(from: SimLink, bytes: Buffer): void {
    const { other } = from;
    if (other === undefined) return;
    this.carried++;
    const isSafe = from.sent++ < SAFE_MESSAGES;
    const { loss, overtaking } = this.weather;
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

  /** Notifies the other end that a connection is closed. */
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

  /** The kernel closes what a process that died had open. */
  crashed(place: Place): void {
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
    const [least, most] = this.weather.delayMs;
    return least + this.random() * (most - least);
  }
}

/** One end of a connection. */
export class SimLink extends Duplex implements ByteLink {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly place: Place;
  readonly peer: HostPort;
  other: SimLink | undefined;
  sent = 0;
  /** No message of this end arrives before it, unless it overtakes. */
  arrivesMs = 0;
  private readonly net: SimNet;

  constructor(net: SimNet, place: Place, peer: HostPort) {
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

  stands(): void {
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
    // What arrives is pushed.
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
