import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeId, type NodeAddress } from '../../src/p2p/transport/node-address.js';
import { freePort } from '../support/free-port.js';
import { NETWORK } from '../support/peers/peer-node.js';
import { until } from '../support/until.js';
import { createRandom } from './random.js';
import type { Measurement } from './run.js';
import {
  DATAGRAM_KINDS,
  type DatagramKind,
  fineDatagram,
  malformedDatagram,
  unreadableDatagram,
} from './support/datagrams.js';
import { Endings } from './support/endings.js';
import { FloodedNode, type FloodedState } from './support/flooded-node.js';

const RELEASES = ['4.7.2', '4.8.2'] as const;
/**
 * Number of datagrams that each address sends. All datagrams together are from more addresses than the node table has
 * entries.
 */
const OF_ONE_ADDRESS = 20;
/** Every Nth datagram is valid. Its sender never answers. */
const FINE_EACH = 10;
/** Number of new addresses that send datagrams of a kind while the traffic that this kind causes is measured. */
const WEIGHED = 25;
/** Number of addresses that answer pings, so that the node table is full. */
const HONEST = 40;
/**
 * Time in ms after which the node no longer repeats a ping. Only long runs wait for this time.
 * Reference: KadService.pingTimeout, four times.
 */
const REPEATS_MS = 61_000;
const LONG_RUN = 10_000;
/** Time in ms after which an idle node has sent all its answers. */
const WEIGHED_MS = 50;
/** Maximum time in ms until an answer arrives. */
const ANSWER_MS = 300;
const GROWTH_MAX = 64 * 1024 * 1024;
const MB = 1024 * 1024;

export const malformedDatagrams: Measurement = {
  title: 'handles malformed and spoofed discovery datagrams, by 4.7.2 and 4.8.2',
  gate: 100_000,
  night: 10_000_000,
  async run({ count, random }) {
    const seed = Math.floor(random() * 2 ** 32);
    const lines: string[] = [];
    for (const release of RELEASES) lines.push(await new Run(seed).all(release, Math.ceil(count / RELEASES.length)));
    return lines.join('; ');
  },
};

/** A UDP sender with its own address. */
class Sender {
  readonly self: NodeAddress;
  readonly received: Uint8Array[] = [];
  private readonly socket: Socket;

  private constructor(socket: Socket, host: string) {
    this.socket = socket;
    this.self = { id: createNodeId(), ipv4: host, ipv6: undefined, port: socket.address().port };
    socket.on('message', (bytes) => this.received.push(bytes));
    socket.on('error', () => undefined);
  }

  static async open(host: string, port: number): Promise<Sender> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 256 * 1024 }).bind(port, host);
    await once(socket, 'listening');
    return new Sender(socket, host);
  }

  /** Makes the sender answer pings, as an active node does. */
  answer(networkId: number): void {
    this.socket.on('message', (bytes, { port, address }) => {
      if (bytes[0] !== 1) return;
      const to = { ...this.self, ipv4: address, port };
      void this.send(fineDatagram('pong', { from: this.self, to, networkId }), port);
    });
  }

  /**
   * @returns a promise that resolves when the operating system has accepted the datagram. A datagram that is too long
   * is dropped.
   */
  send(bytes: Uint8Array, port: number): Promise<void> {
    return new Promise((resolve) => this.socket.send(bytes, port, '127.0.0.1', () => resolve()));
  }

  close(): void {
    this.socket.close();
  }
}

class Run {
  private readonly seed: number;
  private hosts = 0;
  private port = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  async all(release: string, count: number): Promise<string> {
    const endings = new Endings();
    try {
      const node = await FloodedNode.start(endings, release, 'node.discovery.enable = true');
      this.port = await freePort();
      const honest = await this.fill(node, endings);
      const weights = new Map<DatagramKind, string>();
      await this.dropped(node);
      for (const kind of DATAGRAM_KINDS) weights.set(kind, await this.weigh(node, kind));
      const before = await node.state();
      await this.flood(node, count);
      await this.isAlive(node, honest);
      if (count >= LONG_RUN) await sleep(REPEATS_MS);
      const figures = this.judged(release, count, weights, before, await node.state());
      return `${figures}; ${node.memoryPeak()}`;
    } finally {
      await endings.run();
    }
  }

  private judged(
    release: string,
    count: number,
    weights: ReadonlyMap<DatagramKind, string>,
    before: FloodedState,
    after: FloodedState,
  ): string {
    const [udpIn, udpOut] = [after.udpIn - before.udpIn, after.udpOut - before.udpOut];
    const growth = after.bytes - before.bytes;
    const peak = after.bytesMost - before.bytes;
    const kinds = [...weights].map(([kind, weight]) => `${kind} ${weight}`).join(', ');
    const figures =
      `${release}: ${count} datagrams of ${this.hosts} addresses, ${after.datagramsIn - before.datagramsIn} received, ` +
      `${after.failures.length} failures, memory ${(growth / MB).toFixed(1)} MB more after a collection ` +
      `(${(peak / MB).toFixed(1)} MB with garbage); ${udpIn} bytes received, ${udpOut} sent; no answer ` +
      `to dropped datagrams; bytes sent / received for one valid datagram, and for ten, of an unverified address: ${kinds}`;
    assert.deepEqual(after.failures, [], figures);
    assert.ok(growth < GROWTH_MAX, figures);
    assert.ok(after.datagramsIn - before.datagramsIn > count / 2, figures);
    return figures;
  }

  private host(): string {
    const at = ++this.hosts;
    return `127.${1 + ((at >> 16) & 127)}.${(at >> 8) & 255}.${at & 255}`;
  }

  private speak(node: FloodedNode, kind: DatagramKind, sender: Sender): Uint8Array {
    const to = { ...sender.self, ipv4: '127.0.0.1', port: node.port };
    return fineDatagram(kind, { from: sender.self, to, networkId: NETWORK });
  }

  /** Fills the node table with active nodes, so that the node's list of neighbours has its maximum length. */
  private async fill(node: FloodedNode, endings: Endings): Promise<Sender> {
    let last: Sender | undefined;
    for (let at = 0; at < HONEST; at++) {
      last = await Sender.open(this.host(), this.port);
      endings.teardown(last.close.bind(last));
      last.answer(NETWORK);
      await last.send(this.speak(node, 'ping', last), node.port);
      await last.send(this.speak(node, 'findNode', last), node.port);
    }
    const requester = last!;
    await until('a list of neighbours with the maximum length', async () => {
      await requester.send(this.speak(node, 'findNode', requester), node.port);
      await sleep(ANSWER_MS);
      return requester.received.some(({ length }) => length > 1200);
    });
    return requester;
  }

  /**
   * Measures the traffic that the node sends to an unknown address that never answers. The address first sends one
   * datagram of a kind, and then ten.
   */
  private async weigh(node: FloodedNode, kind: DatagramKind): Promise<string> {
    const ratios: number[] = [];
    for (const times of [1, 10]) {
      let [sent, got] = [0, 0];
      for (let at = 0; at < WEIGHED; at++) {
        const sender = await Sender.open(this.host(), this.port);
        const bytes = this.speak(node, kind, sender);
        for (let sending = 0; sending < times; sending++) await sender.send(bytes, node.port);
        sent += times * bytes.length;
        await sleep(WEIGHED_MS);
        got += sender.received.reduce((sum, { length }) => sum + length, 0);
        assert.ok(!sender.received.some(([type]) => type === 4), `${kind}: neighbours for an unverified address`);
        sender.close();
      }
      ratios.push(got / sent);
    }
    assert.ok(
      Math.max(...ratios) <= 1,
      `${kind}: ${ratios.join(' and ')} times the received bytes are sent to an unverified address`,
    );
    return ratios.map((ratio) => ratio.toFixed(2)).join(' and ');
  }

  /** Checks that the node sends no answer to malformed datagrams. */
  private async dropped(node: FloodedNode): Promise<void> {
    const senders: Sender[] = [];
    for (let at = 0; at < WEIGHED; at++) {
      const sender = await Sender.open(this.host(), this.port);
      const bytes = unreadableDatagram(createRandom(this.seed + at));
      await sender.send(bytes, node.port);
      senders.push(sender);
    }
    await sleep(ANSWER_MS);
    for (const { received } of senders) assert.equal(received.length, 0, 'the node answers a malformed datagram');
    for (const sender of senders) sender.close();
  }

  private async flood(node: FloodedNode, count: number): Promise<void> {
    let sender: Sender | undefined;
    for (let at = 0; at < count; at++) {
      if (at % OF_ONE_ADDRESS === 0) {
        sender?.close();
        sender = await Sender.open(this.host(), this.port);
        // Waits until the node has read the datagrams, so that the operating system drops none.
        await sleep(1);
      }
      const random = createRandom(this.seed + at);
      const fine = DATAGRAM_KINDS[Math.floor(random() * DATAGRAM_KINDS.length)]!;
      const bytes = at % FINE_EACH === 0 ? this.speak(node, fine, sender!) : malformedDatagram(random);
      await sender!.send(bytes, node.port);
    }
    await sleep(ANSWER_MS);
    sender?.close();
  }

  /** Checks that the node still answers a valid sender. */
  private async isAlive(node: FloodedNode, honest: Sender): Promise<void> {
    honest.received.length = 0;
    await until('an answer', async () => {
      await honest.send(this.speak(node, 'ping', honest), node.port);
      await sleep(ANSWER_MS);
      return honest.received.some(([type]) => type === 2);
    });
  }
}
