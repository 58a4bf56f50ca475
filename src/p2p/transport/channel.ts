import { ProtobufError } from '../../codec/reader.js';
import type { ByteBudget, ByteShare } from '../../primitives/byte-budget.js';
import type { ByteLink } from '../links/stream-socket.js';
import { P2pError, type RejectReason } from '../p2p-error.js';
import { SLICE_MS } from '../peer-slices.js';
import type { TransportRules } from '../releases/transport-rules.js';
import { CLOSED_BAN_MS } from './ban-list.js';
import { unwrapMessage, wrapMessage } from './compression.js';
import { encodeFrame, FRAME_BYTES_MAX, FrameDecoder, HANDSHAKE_FRAME_BYTES_MAX } from './frames.js';
import { encodeGoodbye, type GoodbyeName, TRANSPORT_VERSION } from './framework-message.js';
import { hostPortKey, type NodeAddress, plainHost } from './node-address.js';
import { PeerCpuQuota } from './peer-cpu-quota.js';

/** Maximum number of unsent bytes for a peer that does not read. The answer to any single request is smaller. */
const UNSENT_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Number of unsent bytes above which this node stops sending a long answer, and stops reading requests, until the peer
 * has read.
 */
const UNSENT_BYTES_SLOW = 4 * 1024 * 1024;
/** Memory in bytes that each unsent message uses in addition to its content. The content of a pong has five bytes. */
const MESSAGE_BYTES = 256;
/** Maximum time without a byte from the peer, in ms. Reference: Channel.init, ReadTimeoutHandler. */
const READ_TIMEOUT_MS = 60_000;

interface ChannelOptions {
  readonly socket: ByteLink;
  readonly rules: TransportRules;
  /** True if this node opened the connection. */
  readonly isActive: boolean;
  /** Id of the dialled node, hex. */
  readonly nodeId?: string;
  readonly isTrusted: (host: string) => boolean;
  readonly now: () => number;
  /** Monotonic clock in ms. It measures how long the handling of messages takes. */
  readonly clock: () => number;
  /** Called with the number of bytes of each sent frame and of each received chunk. */
  readonly bytes: (kind: 'tcpIn' | 'tcpOut', count: number) => void;
  /** Limit of the received data of all channels that is not handled yet. Undefined for no limit. */
  readonly budget?: ByteBudget | undefined;
  readonly events: ChannelEvents;
}

interface ChannelEvents {
  /**
   * Handles one message, which consists of type byte and protobuf. The next message is handled after the promise has
   * resolved.
   * @throws errors that close the connection
   */
  message(channel: Channel, bytes: Uint8Array): void | Promise<void>;
  /** Called when this side is about to close the connection. @param banMs duration of the ban of the address */
  closing(channel: Channel, banMs: number): void;
  /** Called when either side has closed the connection. */
  closed(channel: Channel): void;
  /** Called when an error closed the connection, so that the error can be logged. */
  failed(channel: Channel, error: unknown): void;
}

/** One connection over TCP or an encrypted link: framing, compression, keep-alive state. Reference: Channel. */
export class Channel {
  readonly isActive: boolean;
  readonly isTrusted: boolean;
  readonly host: string;
  readonly port: number;
  readonly startMs: number;
  /** CPU time quota of the peer. */
  readonly share: PeerCpuQuota;
  nodeId: string | undefined;
  /** Address that the peer announced in its HELLO. */
  announced: NodeAddress | undefined;
  /** Transport version of the peer; 0 until its HELLO arrived. */
  version = 0;
  waitsForPong = false;
  pingSentMs: number;
  lastSendMs: number;
  /** Time at which this side or the peer closed the connection, ms. */
  closedMs: number | undefined;
  private lastReadMs: number;
  private readonly socket: ByteLink;
  private readonly options: ChannelOptions;
  private readonly decoder = new FrameDecoder(HANDSHAKE_FRAME_BYTES_MAX);
  /** Received data that is not handled yet, usually an incomplete frame. */
  private readonly unread: ByteShare | undefined;
  private unsentMessages = 0;
  /** Called when the operating system has accepted a message. One function for all messages needs the least memory. */
  private readonly sent = (): void => {
    this.unsentMessages--;
    if (this.unsentMessages === 0) this.allSent?.();
  };
  /** Resolves the promise of `drained`. */
  private allSent: (() => void) | undefined;
  private isBusy = false;
  private isKnown = false;
  private latencySum = 0;
  private latencyCount = 0;

  constructor(options: ChannelOptions) {
    const { socket, isActive, nodeId, now } = options;
    this.options = options;
    this.socket = socket;
    this.isActive = isActive;
    this.nodeId = nodeId;
    this.host = plainHost(socket.remoteAddress ?? '');
    this.port = socket.remotePort ?? 0;
    this.isTrusted = options.isTrusted(this.host);
    this.startMs = now();
    this.share = new PeerCpuQuota(options.clock);
    this.pingSentMs = this.startMs;
    this.lastSendMs = this.startMs;
    this.lastReadMs = this.startMs;
    this.unread = options.budget?.open({
      drop: (reason) =>
        this.fail(
          new Error(reason === 'full' ? 'unprocessed data exceeds the limit' : 'incomplete message without progress'),
        ),
      // Size in bytes up to which an incomplete message has no time limit except the read timeout.
      stallsFrom: HANDSHAKE_FRAME_BYTES_MAX,
    });
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => {
      this.closedMs ??= now();
      this.unread?.close();
      this.allSent?.();
      options.events.closed(this);
    });
  }

  get key(): string {
    return hostPortKey(this);
  }

  /** True if the handshake is complete. If the peer's release has no handshake, its first message completes it. */
  get isHandshaken(): boolean {
    return this.isKnown;
  }

  /** Marks the handshake as complete. From then on, the larger limit FRAME_BYTES_MAX applies to frames. */
  shookHands(): void {
    this.isKnown = true;
    this.decoder.bytesMax = FRAME_BYTES_MAX;
  }

  get isClosed(): boolean {
    return this.closedMs !== undefined;
  }

  /** Mean latency of handshake and keep-alive messages, in ms; 0 before the first measurement. */
  get latencyMs(): number {
    return this.latencyCount === 0 ? 0 : Math.trunc(this.latencySum / this.latencyCount);
  }

  noteLatency(ms: number): void {
    this.latencySum += ms;
    this.latencyCount++;
  }

  /**
   * Sends a message, which consists of type byte and protobuf. After the handshake, compresses the message if the peer
   * supports compression. Does nothing if the connection is closed.
   */
  send(bytes: Uint8Array): void {
    if (this.isClosed) return;
    const frame = this.isWrapping ? encodeFrame(...wrapMessage(bytes)) : encodeFrame(bytes);
    this.unsentMessages++;
    this.socket.write(frame, this.sent);
    this.options.bytes('tcpOut', frame.length);
    this.lastSendMs = this.options.now();
    if (this.unsentBytes > UNSENT_BYTES_MAX)
      this.fail(new Error('the send buffer is full, because the peer does not read'));
  }

  /** Sends the close reason, if the emulated release sends close reasons (`TransportRules.saysGoodbye`). */
  sayGoodbye(name: GoodbyeName): void {
    if (this.options.rules.saysGoodbye) this.send(encodeGoodbye(name));
  }

  /**
   * Returns undefined if the peer reads. If more than 4 MiB are unsent, returns a promise that resolves when all data
   * is sent or the connection is closed.
   */
  drained(): Promise<void> | undefined {
    if (this.isClosed || this.unsentBytes <= UNSENT_BYTES_SLOW) return undefined;
    return new Promise<void>((resolve) => {
      this.allSent = resolve;
    });
  }

  /** Closes the connection after sending queued data, and bans the address. */
  close(banMs = CLOSED_BAN_MS): void {
    if (this.isClosed) return;
    this.options.events.closing(this, banMs);
    this.end();
  }

  /** Closes the connection without a ban. */
  end(): void {
    this.closedMs ??= this.options.now();
    this.socket.destroySoon();
  }

  /**
   * Closes the connection if the peer sent nothing for 60 s, or if the handshake takes more than 60 s. Destroys the
   * socket if queued data was not sent within 60 s after the close.
   */
  checkSilence(): void {
    const nowMs = this.options.now();
    if (this.closedMs !== undefined && nowMs - this.closedMs > READ_TIMEOUT_MS) this.socket.destroy();
    if (this.isBusy || nowMs - (this.isKnown ? this.lastReadMs : this.startMs) <= READ_TIMEOUT_MS) return;
    this.fail(new Error(this.isKnown ? 'read timeout' : 'handshake timeout'));
  }

  /** Memory of the messages that the operating system has not accepted yet, in bytes. */
  private get unsentBytes(): number {
    return this.socket.writableLength + this.unsentMessages * MESSAGE_BYTES;
  }

  private get isWrapping(): boolean {
    return this.isHandshaken && this.version >= TRANSPORT_VERSION;
  }

  private read(chunk: Uint8Array): void {
    this.options.bytes('tcpIn', chunk.length);
    if (this.isClosed) return;
    this.lastReadMs = this.options.now();
    this.decoder.push(chunk);
    if (!this.isBusy) this.pump();
    this.unread?.set(this.decoder.bufferedBytes, chunk.length);
  }

  /**
   * Handles messages in the order of arrival, because the handshake changes the encoding of later frames. Many short
   * messages are handled in several turns of the event loop.
   */
  private pump(): void {
    const { clock } = this.options;
    const started = clock();
    try {
      while (!this.isClosed) {
        const taken = this.takeFrame();
        if (taken === 'none') return;
        const handled = taken ?? this.drained();
        if (handled === undefined && clock() - started < SLICE_MS && this.share.restMs < 1) continue;
        this.waitFor(handled ?? new Promise((resolve) => setImmediate(resolve)));
        return;
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Handles the next frame.
   * @returns the promise to wait for before the next frame, or 'none' if there is no complete frame
   */
  private takeFrame(): void | Promise<void> | 'none' {
    const { clock, rules, events } = this.options;
    const started = clock();
    const frame = this.nextFrame();
    if (frame === undefined) return 'none';
    this.share.begin();
    try {
      return events.message(this, this.isWrapping ? unwrapMessage(frame, rules.messageBytesMax) : frame);
    } finally {
      this.share.worked(clock() - started);
    }
  }

  private nextFrame(): Uint8Array | undefined {
    try {
      return this.decoder.next();
    } catch (error) {
      const isBig = error instanceof P2pError && error.code === 'BIG_MESSAGE';
      this.fail(error, isBig ? 'BAD_MESSAGE' : 'nothing');
      return undefined;
    }
  }

  private waitFor(handled: Promise<void>): void {
    this.isBusy = true;
    this.unread?.stopClock();
    this.socket.pause();
    handled.then(
      () => {
        const { restMs } = this.share;
        if (restMs >= 1 && !this.isClosed) {
          this.waitFor(new Promise((resolve) => setTimeout(resolve, restMs)));
          return;
        }
        this.isBusy = false;
        this.lastReadMs = this.options.now();
        this.unread?.startClock();
        this.socket.resume();
        this.pump();
        this.unread?.set(this.decoder.bufferedBytes);
      },
      (error: unknown) => this.fail(error),
    );
  }

  private fail(error: unknown, goodbye: GoodbyeName | 'nothing' = goodbyeOf(error)): void {
    if (this.isClosed) return;
    this.options.events.failed(this, error);
    if (goodbye !== 'nothing') this.sayGoodbye(goodbye);
    this.close();
  }
}

/** Close reasons by rejection reason. Reference: MessageHandler.decode of TRON's Java library libp2p 2.2.8. */
const goodbyes: Readonly<Partial<Record<RejectReason, GoodbyeName>>> = {
  EMPTY_MESSAGE: 'EMPTY_MESSAGE',
  NO_SUCH_MESSAGE: 'NO_SUCH_MESSAGE',
  BAD_MESSAGE: 'BAD_MESSAGE',
  PARSE_MESSAGE_FAILED: 'BAD_MESSAGE',
  MESSAGE_WITH_WRONG_LENGTH: 'BAD_MESSAGE',
  CLOCK_AHEAD: 'BAD_MESSAGE',
  BIG_MESSAGE: 'UNKNOWN',
};

/** Returns the close reason for a protocol violation; 'nothing' for other failures. */
function goodbyeOf(error: unknown): GoodbyeName | 'nothing' {
  if (error instanceof ProtobufError) return 'BAD_MESSAGE';
  return (error instanceof P2pError && goodbyes[error.code]) || 'nothing';
}
