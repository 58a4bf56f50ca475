import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { P2pHelloMessage } from '../../../src/codec/generated/messages.js';
import { FrameworkType } from '../../../src/p2p/transport/framework-message.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';
import { PeerLine } from './peer-line.js';
import type { TwoNodes } from './two-nodes.js';

const LOOK_MS = 10;

export interface Dialled {
  readonly theirs: PeerLine | undefined;
  readonly ours: PeerLine | undefined;
}

/** Who listens where both nodes dial: tells their connections apart by what they say of themselves. */
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

  /** A new connection of each that comes in that time, in which others are ended at once. */
  async next(patienceMs: number): Promise<Dialled> {
    this.isOpen = true;
    const untilMs = Date.now() + patienceMs;
    const found = (): Dialled => ({ theirs: this.lineOf(this.ports.theirs), ours: this.lineOf(this.ports.ours) });
    while (Date.now() < untilMs && Object.values(found()).includes(undefined)) await sleep(LOOK_MS);
    this.isOpen = false;
    const both = found();
    for (const line of this.lines.splice(0)) if (line !== both.theirs && line !== both.ours) line.close();
    return both;
  }

  close(): void {
    this.server.close();
  }

  private lineOf(port: number): PeerLine | undefined {
    return this.lines.find(({ isEnded, frames }) => !isEnded && frames[0] !== undefined && portIn(frames[0]) === port);
  }
}

function portIn(frame: Uint8Array): number | undefined {
  if (frame[0] !== FrameworkType.hello) return undefined;
  return P2pHelloMessage.decode(frame.subarray(1)).from?.port;
}
