import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { P2pHelloMessage } from '../../../src/codec/generated/messages.js';
import { FrameworkType } from '../../../src/p2p/transport/framework-message.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';
import { PeerLine } from './peer-line.js';
import { CALLEE, type TwoNodes } from './two-nodes.js';

const LOOK_MS = 10;

interface Lines {
  readonly theirs: PeerLine;
  readonly ours: PeerLine;
}

/** Who listens where both nodes dial: tells their connections apart by what they say of themselves. */
export class Callee {
  private readonly server: Server;
  private readonly ports: TwoNodes['ports'];
  private readonly lines: PeerLine[] = [];
  private isOpen = false;

  private constructor(server: Server, ports: TwoNodes['ports']) {
    this.server = server;
    this.ports = ports;
    server.on('connection', (socket) => {
      if (this.isOpen) this.lines.push(PeerLine.of(RawPeer.of(socket)));
      else socket.destroy();
    });
  }

  static async listen({ ports, calleePort }: TwoNodes): Promise<Callee> {
    const server = createServer().listen(calleePort, CALLEE);
    await once(server, 'listening');
    return new Callee(server, ports);
  }

  /** A new connection of each; until then all are ended at once. @returns undefined: one of them does not dial in that time */
  async next(patienceMs: number): Promise<Lines | undefined> {
    this.isOpen = true;
    const untilMs = Date.now() + patienceMs;
    try {
      while (Date.now() < untilMs) {
        const [theirs, ours] = [this.lineOf(this.ports.theirs), this.lineOf(this.ports.ours)];
        if (theirs !== undefined && ours !== undefined) {
          for (const line of this.lines) if (line !== theirs && line !== ours) line.close();
          return { theirs, ours };
        }
        await sleep(LOOK_MS);
      }
      return undefined;
    } finally {
      this.isOpen = false;
      this.lines.length = 0;
    }
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
