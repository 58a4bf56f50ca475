import { wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame } from '../../../src/p2p/transport/frames.js';
import { encodeKeepAlive } from '../../../src/p2p/transport/framework-message.js';
import { RawPeer } from '../../support/p2p/raw-peer.js';
import { shownFrame } from './shown-message.js';

/**
 * Delay in ms before the answer to a ping. java-tron first sends the ping and then sets the flag that it waits for a
 * pong. It would ignore a pong that arrives between these two steps.
 */
const PONG_MS = 50;

/** A connection to one node, with the messages received from it. */
export class PeerLine {
  /**
   * Received messages as text, in order, without the answers to pings that `ping` sends. After the end of the
   * connection, the last text is `end`.
   */
  readonly received: string[] = [];
  /** Received frames, in the same order as `received`. */
  readonly frames: Uint8Array[] = [];
  pongs = 0;
  /** Time when the last message arrived, in ms since 1970. */
  lastMs = Date.now();
  /** True to answer the node's pings. */
  isAwake = false;
  /** Number of pings that the node has sent. */
  pings = 0;
  private readonly raw: RawPeer;

  private constructor(raw: RawPeer) {
    this.raw = raw;
    void this.listen();
  }

  static async dial(port: number, from: string): Promise<PeerLine> {
    return new PeerLine(await RawPeer.dial(port, from));
  }

  /** Returns a `PeerLine` for a connection that the node has dialled. */
  static of(raw: RawPeer): PeerLine {
    return new PeerLine(raw);
  }

  get isEnded(): boolean {
    return this.received.at(-1) === 'end';
  }

  write(bytes: Uint8Array): void {
    if (!this.isEnded) this.raw.write(bytes);
  }

  /** Sends a ping. The node answers it after it has processed all earlier messages of this connection. */
  ping(): void {
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
