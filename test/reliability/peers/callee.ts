import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { P2pHelloMessage, P2pStatusMessage } from '../../../src/codec/generated/messages.js';
import { FrameworkType } from '../../../src/p2p/transport/framework-message.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';
import { PeerLine } from './peer-line.js';
import type { TwoNodes } from './two-nodes.js';

const POLL_MS = 10;

export interface Dialled {
  readonly theirs: PeerLine | undefined;
  readonly ours: PeerLine | undefined;
}

/** Listener that both nodes dial. It distinguishes the nodes by the ports in their HELLO messages. */
export class Callee {
  readonly host: string;
  private readonly server: Server;
  private readonly ports: TwoNodes['ports'];
  private readonly lines: PeerLine[] = [];
  private isOpen = false;

  private constructor(server: Server, host: string, ports: TwoNodes['ports']) {
    this.server = server;
    this.host = host;
    this.ports = ports;
    server.on('connection', (socket) => {
      if (this.isOpen) this.lines.push(PeerLine.of(RawPeer.of(socket)));
      else socket.destroy();
    });
  }

  static async listen({ ports }: TwoNodes, host: string, port: number): Promise<Callee> {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    return new Callee(server, host, ports);
  }

  /**
   * Returns the next connection of each node; undefined for a node that does not dial in time. Connections at other
   * times are closed immediately.
   * @param words message that the listener sends to each node after its HELLO, even before the other node has dialled
   */
  async next(timeoutMs: number, words?: Uint8Array): Promise<Dialled> {
    this.isOpen = true;
    const untilMs = Date.now() + timeoutMs;
    const answered = new Set<PeerLine>();
    const found = (): Dialled => {
      const both = { theirs: this.lineOf(this.ports.theirs), ours: this.lineOf(this.ports.ours) };
      for (const line of Object.values(both)) {
        if (words === undefined || line === undefined || answered.has(line)) continue;
        line.write(words);
        answered.add(line);
      }
      return both;
    };
    while (Date.now() < untilMs && Object.values(found()).includes(undefined)) await sleep(POLL_MS);
    this.isOpen = false;
    const both = found();
    for (const line of this.lines.splice(0)) if (line !== both.theirs && line !== both.ours) line.close();
    return both;
  }

  close(): void {
    this.server.close();
  }

  private lineOf(port: number): PeerLine | undefined {
    return this.lines.find(({ frames }) => frames[0] !== undefined && portIn(frames[0]) === port);
  }
}

function portIn(frame: Uint8Array): number | undefined {
  const body = frame.subarray(1);
  if (frame[0] === FrameworkType.hello) return P2pHelloMessage.decode(body).from?.port;
  return frame[0] === FrameworkType.status ? P2pStatusMessage.decode(body).from?.port : undefined;
}
