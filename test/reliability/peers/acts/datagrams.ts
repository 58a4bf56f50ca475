import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DiscoveryMessage,
  decodeDiscovery,
  encodeDiscovery,
} from '../../../../src/p2p/discovery/discovery-message.js';
import { createNodeId, type NodeAddress } from '../../../../src/p2p/transport/node-address.js';
import { present } from '../../../../src/primitives/assert.js';
import { NETWORK } from '../../../support/peers/peer-node.js';
import type { Act } from '../act.js';
import { Difference } from '../difference.js';
import type { Stage } from '../stage.js';

/** Time in ms after which a node has sent all its answers. */
const ANSWER_MS = 250;

/** A UDP sender with its own address. It stores the datagrams of one node. */
class Speaker {
  readonly received: string[] = [];
  readonly self: NodeAddress;
  private readonly socket: Socket;
  private readonly to: number;

  private constructor(socket: Socket, self: NodeAddress, to: number) {
    this.socket = socket;
    this.self = self;
    this.to = to;
    socket.on('message', (bytes) => this.received.push(shown(bytes, self.ipv4 === undefined)));
  }

  static async open(host: string, id: string, to: number): Promise<Speaker> {
    const isSix = isIPv6(host);
    const socket = createSocket(isSix ? 'udp6' : 'udp4').bind(0, host);
    await once(socket, 'listening');
    const hosts = isSix ? { ipv4: undefined, ipv6: host } : { ipv4: host, ipv6: undefined };
    return new Speaker(socket, { id, ...hosts, port: socket.address().port }, to);
  }

  send(bytes: Uint8Array): void {
    this.socket.send(bytes, this.to, this.self.ipv4 === undefined ? '::1' : '127.0.0.1');
  }

  close(): void {
    this.socket.close();
  }
}

/**
 * Formats a datagram for the comparison. Removes the list of neighbours, which depends on the time of the last lookup
 * and on the node's own id. Also removes addresses of the IP family that the connection does not use: this node sends
 * such addresses only to a node that has answered a ping.
 */
function shown(bytes: Uint8Array, isSix: boolean): string {
  const message = decodeDiscovery(bytes);
  const { kind, from } = message;
  const own = `${kind} of ${isSix ? from.ipv6 : from.ipv4}`;
  return kind === 'neighbours' || kind === 'findNode' ? own : `${own}, network ${message.networkId}`;
}

type Words = (
  self: NodeAddress,
  at: { readonly port: number; readonly timeMs: number; readonly odd: number },
) => DiscoveryMessage;

const words: Readonly<Record<string, Words>> = {
  ping: (from, { port, timeMs }) => ({
    kind: 'ping',
    from,
    to: { ...from, ipv4: '127.0.0.1', port },
    networkId: NETWORK,
    timeMs,
  }),
  'ping of another network': (from, { port, timeMs }) => ({
    kind: 'ping',
    from,
    to: { ...from, port },
    networkId: 1,
    timeMs,
  }),
  'ping with another port': (from, { port, timeMs }) => ({
    kind: 'ping',
    from: { ...from, port: 1 },
    to: { ...from, port },
    networkId: NETWORK,
    timeMs,
  }),
  'ping to another node': (from, { timeMs }) => ({
    kind: 'ping',
    from,
    to: { ...from, ipv4: '9.9.9.9', port: 1 },
    networkId: NETWORK,
    timeMs,
  }),
  'ping with an old time': (from, { port }) => ({
    kind: 'ping',
    from,
    to: { ...from, port },
    networkId: NETWORK,
    timeMs: 1,
  }),
  'ping of another address': (from, { port, timeMs }) => ({
    kind: 'ping',
    from: { ...from, ipv4: '8.8.8.8' },
    to: { ...from, port },
    networkId: NETWORK,
    timeMs,
  }),
  'ping of a malformed address': (from, { port, timeMs }) => ({
    kind: 'ping',
    from: { ...from, ipv4: 'x' },
    to: { ...from, port },
    networkId: NETWORK,
    timeMs,
  }),
  'ping with addresses of both families': (from, { port, timeMs, odd }) => ({
    kind: 'ping',
    from: { ...from, ipv4: from.ipv4 ?? `127.98.${odd}.1`, ipv6: from.ipv6 ?? `2001:DB8::${odd}` },
    to: { ...from, port },
    networkId: NETWORK,
    timeMs,
  }),
  'ping with an unusual IPv6 address': (from, { port, timeMs, odd }) => ({
    kind: 'ping',
    from: { ...from, ipv6: ['x', '::ffff:1.2.3.4', '::1.2.3.4', 'fe80::1%3', '0::0'][odd % 5] },
    to: { ...from, port },
    networkId: NETWORK,
    timeMs,
  }),
  'ping of a short id': (from, { port, timeMs }) => ({
    kind: 'ping',
    from: { ...from, id: 'abcd' },
    to: { ...from, port },
    networkId: NETWORK,
    timeMs,
  }),
  pong: (from, { timeMs }) => ({ kind: 'pong', from, networkId: NETWORK, timeMs }),
  'pong of another network': (from, { timeMs }) => ({ kind: 'pong', from, networkId: 5, timeMs }),
  'request for neighbours': (from, { timeMs }) => ({ kind: 'findNode', from, target: createNodeId(), timeMs }),
  'request with a short target': (from, { timeMs }) => ({ kind: 'findNode', from, target: 'abcd', timeMs }),
  'unrequested neighbours': (from, { timeMs, odd }) => ({
    kind: 'neighbours',
    from,
    nodes: [{ ...from, id: createNodeId(), ipv4: `127.99.${odd}.1` }],
    timeMs,
  }),
};

/**
 * Kinds of datagrams with which an act starts. Both nodes can read each of them. After an unreadable datagram, only
 * java-tron would ping the sender, so that later answers would differ.
 */
const FIRST = [
  'ping',
  'ping',
  'ping of another network',
  'ping with another port',
  'ping to another node',
  'ping with an old time',
];

/** A node sends discovery messages to both nodes. */
export const datagrams: Act = async (stage) => {
  const { random, nodes } = stage;
  const [host, id] = [stage.host(), createNodeId()];
  const theirs = await Speaker.open(host, id, nodes.ports.theirs);
  const ours = await Speaker.open(host, id, nodes.ports.ours);
  try {
    const first = random.pick(FIRST);
    for (const name of [first, first, first]) await say(stage, name, [theirs, ours]);
    compare(stage, kindsOf(theirs), kindsOf(ours));
    await say(stage, random.chance(0.8) ? 'pong' : 'pong of another network', [theirs, ours]);
    for (const one of [theirs, ours]) one.received.length = 0;
    for (let times = 1 + random.below(5); times > 0; times--) {
      await say(stage, random.pick(Object.keys(words)), [theirs, ours], random.chance(0.05) ? 1 + random.below(30) : 0);
      compare(stage, answersOf(theirs), answersOf(ours));
    }
  } finally {
    theirs.close();
    ours.close();
  }
};

/**
 * Sends a datagram to both nodes.
 * @param cut number of bytes that are removed from the end of the datagram; must be 0 for the first datagram, because
 * a node sends answers only after it has read a valid datagram
 */
async function say(
  { random, nodes, story }: Stage,
  name: string,
  [theirs, ours]: readonly [Speaker, Speaker],
  cut = 0,
): Promise<void> {
  story.push(`a ${name}${cut > 0 ? ` without its last ${cut} bytes` : ''}`);
  const at = { timeMs: Date.now(), odd: random.below(250) };
  for (const one of [theirs, ours]) {
    const port = one === ours ? nodes.ports.ours : nodes.ports.theirs;
    const bytes = encodeDiscovery(present(words[name], 'a kind of datagram')(one.self, { ...at, port }));
    one.send(bytes.subarray(0, bytes.length - cut));
  }
  await sleep(ANSWER_MS);
}

/**
 * Returns the kinds of the received datagrams, sorted and without duplicates. This node sends at most as many bytes
 * to an address that has not answered a ping as it received from there. Its own ping may therefore be delayed.
 */
function kindsOf({ received }: Speaker): string {
  return [...new Set(received)].sort().join(' | ');
}

/** Returns the received answers. Excludes requests of the node, which arrive every few seconds. */
function answersOf({ received }: Speaker): string {
  return received.filter((text) => !text.startsWith('findNode')).join(' | ');
}

/** @throws {Difference} the two texts differ */
function compare({ story }: Stage, theirs: string, ours: string): void {
  if (theirs !== ours) throw new Difference(`${story.join('\n')}\n java-tron ${theirs}\n ours      ${ours}`);
}
