import { once } from 'node:events';
import { createConnection, isIPv6, type Socket } from 'node:net';
import { P2pHelloMessage } from '../../../src/codec/generated/messages.js';
import { unwrapMessage, wrapMessage } from '../../../src/p2p/transport/compression.js';
import { encodeFrame, FRAME_BYTES_MAX, FrameDecoder } from '../../../src/p2p/transport/frames.js';
import { encodeHello } from '../../../src/p2p/transport/framework-message.js';
import { toEndpoint } from '../../../src/p2p/transport/node-address.js';

/** Remote end of a connection, with which tests send arbitrary messages and read the received messages. */
export class RawPeer {
  readonly frames: Uint8Array[] = [];
  isEnded = false;
  private readonly socket: Socket;
  private readonly decoder = new FrameDecoder();
  private wake: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.decoder.push(chunk);
      for (let frame = this.decoder.next(); frame !== undefined; frame = this.decoder.next()) this.frames.push(frame);
      this.wake?.();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isEnded = true;
      this.wake?.();
    });
  }

  /** Connects to a port. @param from local address of the connection; IPv4 or IPv6 */
  static async dial(port: number, from = '127.0.0.1'): Promise<RawPeer> {
    const socket = createConnection({ host: isIPv6(from) ? '::1' : '127.0.0.1', port, localAddress: from });
    await once(socket, 'connect');
    return new RawPeer(socket);
  }

  static of(socket: Socket): RawPeer {
    return new RawPeer(socket);
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Resolves when the operating system has accepted the bytes, or the connection has ended. */
  writeAll(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Sends a frame in the format that is used before the handshake. */
  say(body: Uint8Array): void {
    this.write(encodeFrame(body));
  }

  /** Sends a frame in the format that is used after the handshake. */
  sayWrapped(body: Uint8Array): void {
    this.write(encodeFrame(...wrapMessage(body)));
  }

  hello(options: {
    id: string;
    networkId: number;
    code?: number;
    version?: number;
    timestamp?: bigint;
    ipv6?: string;
  }): void {
    const { id, networkId, code = 0, version = 1, timestamp = BigInt(Date.now()), ipv6 } = options;
    const from = toEndpoint({ id, ipv4: '127.0.0.1', ipv6, port: 1 });
    const fields = { from, networkId, code, version, timestamp };
    this.say(encodeHello(Object.assign(new P2pHelloMessage(), fields)));
  }

  /** Returns the next frame undecoded; undefined if the connection has ended. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.frames.length === 0 && !this.isEnded) await this.nextEvent();
    return this.frames.shift();
  }

  async nextHello(): Promise<P2pHelloMessage> {
    const frame = await this.next();
    if (frame?.[0] !== 0xfd) throw new Error('no HELLO came');
    return P2pHelloMessage.decode(frame.subarray(1));
  }

  /** Returns the next message in the format that is used after the handshake. */
  async nextWrapped(): Promise<Uint8Array | undefined> {
    const frame = await this.next();
    return frame && unwrapMessage(frame, FRAME_BYTES_MAX);
  }

  async ended(): Promise<void> {
    while (!this.isEnded) await this.nextEvent();
  }

  close(): void {
    this.socket.destroy();
  }

  private nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
