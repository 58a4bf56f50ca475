import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  type DiscoveryMessage,
  decodeDiscovery,
  encodeDiscovery,
} from '../../../src/p2p/discovery/discovery-message.js';
import { createNodeId, type NodeAddress } from '../../../src/p2p/transport/node-address.js';
import { NETWORK } from '../../support/peers/peer-node.js';
import type { TwoNodes } from './two-nodes.js';

export interface FoundNodeOptions {
  readonly host: string;
  readonly networkId?: number;
  /** Port that the node states in its messages. Set only if it differs from the port from which the node sends. */
  readonly saidPort?: number;
}

/** A peer that this node and java-tron discover. It sends UDP messages to both and answers their messages. */
export class FoundNode {
  readonly self: NodeAddress;
  private readonly socket: Socket;
  private readonly networkId: number;

  private constructor(socket: Socket, self: NodeAddress, networkId: number) {
    this.socket = socket;
    this.self = self;
    this.networkId = networkId;
    socket.on('message', (bytes, { port }) => this.take(decodeDiscovery(bytes), port));
  }

  /** Opens the UDP port and sends a ping to both nodes. @param port port of the peer for TCP and UDP */
  static async open(
    { ports }: TwoNodes,
    port: number,
    { host, networkId = NETWORK, saidPort = port }: FoundNodeOptions,
  ): Promise<FoundNode> {
    const socket = createSocket('udp4').bind(port, host);
    await once(socket, 'listening');
    const self = { id: createNodeId(), ipv4: host, ipv6: undefined, port: saidPort };
    const made = new FoundNode(socket, self, networkId);
    for (const target of [ports.theirs, ports.ours]) {
      const to = { ...self, ipv4: '127.0.0.1', port: target };
      made.say({ kind: 'ping', from: self, to, networkId, timeMs: Date.now() }, target);
    }
    return made;
  }

  close(): void {
    this.socket.close();
  }

  private take(message: DiscoveryMessage, port: number): void {
    const { self: from, networkId } = this;
    const timeMs = Date.now();
    if (message.kind === 'ping') this.say({ kind: 'pong', from, networkId, timeMs }, port);
    if (message.kind === 'findNode') this.say({ kind: 'neighbours', from, nodes: [], timeMs }, port);
  }

  private say(message: DiscoveryMessage, port: number): void {
    this.socket.send(encodeDiscovery(message), port, '127.0.0.1');
  }
}
