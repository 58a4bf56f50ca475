import { wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../src/p2p/transport/frames.js';
import { encodeKeepAlive } from '../../../src/p2p/transport/framework-message.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';
import { shownFrame } from './shown-message.js';

/**
 * Time in ms until a ping is answered. java-tron notes that it waits for a pong after it has sent the ping, and would
 * miss an earlier one.
 */
const PONG_MS = 50;

/** One connection to one node and its received messages. */
export class PeerLine {
  /** Received messages in order, without responses to `ask`. `end` is the last. */
  readonly received: string[] = [];
  /** The received frames, in the same order. */
  readonly frames: Uint8Array[] = [];
  pongs = 0;
  /** Time of the last received message, in ms since 1970. */
  lastMs = Date.now();
  /** True to answer pings of the node. */
  isAwake = false;
  /** Number of pings from the node. */
  pings = 0;
  private readonly raw: RawPeer;

  private constructor(raw: RawPeer) {
    this.raw = raw;
    void this.listen();
  }

  static async dial(port: number, from: string): Promise<PeerLine> {
    return new PeerLine(await RawPeer.dial(port, from));
  }

  /** Creates the line for a connection that the node has opened. */
  static of(raw: RawPeer): PeerLine {
    return new PeerLine(raw);
  }

  get isEnded(): boolean {
    return this.received.at(-1) === 'end';
  }

  write(bytes: Uint8Array): void {
    if (!this.isEnded) this.raw.write(bytes);
  }

  /** Sends a ping. The node answers it after it has processed all earlier messages. */
  ask(): void {
    this.keepAlive('ping');
  }

  close(): void {
    this.raw.close();
  }

  private keepAlive(kind: 'ping' | 'pong'): void {
    this.write(encodeFrame(...wrapMessage(encodeKeepAlive(kind, Date.now()))));
  }

  private async listen(): Promise<void> {
    for (let frame = await this.raw.next(); frame !== undefined; frame = await this.raw.next()) this.receive(frame);
    this.lastMs = Date.now();
    this.received.push('end');
  }

  private receive(frame: Uint8Array): void {
    const text = shownFrame(frame);
    if (text === 'ping') {
      this.pings++;
      if (this.isAwake) setTimeout(() => this.keepAlive('pong'), PONG_MS);
      return;
    }
    this.lastMs = Date.now();
    if (text === 'pong') {
      this.pongs++;
      return;
    }
    this.received.push(text);
    this.frames.push(frame);
  }
}
