import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { P2pStatusMessage as StatusMessage } from '../../codec/generated/messages.js';
import { ByteBudget } from '../../primitives/byte-budget.js';
import type { ByteLink } from '../links/stream-socket.js';
import { P2pError } from '../p2p-error.js';
import type { TransportRules } from '../releases/transport-rules.js';
import { CLOSED_BAN_MS } from './ban-list.js';
import { Channel } from './channel.js';
import { ChannelTable } from './channel-table.js';
import { type DialLimits, DialPool } from './dial-pool.js';
import { decodeFramework, encodeStatus, goodbyeName } from './framework-message.js';
import { Handshake } from './handshake.js';
import { KEEP_ALIVE_PERIOD_MS, keepAlive, takeKeepAlive } from './keep-alive.js';
import { type HostPort, type NodeAddress, toEndpoint } from './node-address.js';
import { NodeDetect } from './node-detect.js';
import { PendingHandshakes } from './pending-handshakes.js';

/** Time limit for opening a connection, in ms. Reference: Parameter.NODE_CONNECTION_TIMEOUT. */
const CONNECT_TIMEOUT_MS = 2000;
/**
 * Maximum size of received data that is not handled yet, over all channels, in bytes. A frame of 5 MiB needs a buffer
 * of up to 10 MiB.
 */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;
/** Time in ms after which an incomplete message closes its channel, unless 16 KiB of it arrived in this time. */
const MESSAGE_STALL_MS = 10_000;
/** Lowest first byte of connection-layer messages. The first byte of application messages is lower. */
const FRAMEWORK_FROM = 0x80;
/**
 * The only application message type without a handler. A message of this type closes the connection. The close reason
 * is NO_SUCH_MESSAGE, in releases that send close reasons.
 */
const UNHANDLED_TYPE = 0x7f;

export interface TransportOptions extends DialLimits {
  readonly rules: TransportRules;
  readonly networkId: number;
  /** Address that this node announces, including the port. */
  readonly self: () => NodeAddress;
  /** TCP port to listen on; 0 to disable listening. */
  readonly listenPort: number;
  readonly activeNodes: () => readonly HostPort[];
  /** Returns true if an address is exempt from connection limits, bans and eviction. */
  readonly isTrusted: (host: string) => boolean;
  readonly candidates: () => readonly NodeAddress[];
  /** Returns nodes listed by DNS trees. */
  readonly listed?: () => readonly NodeAddress[];
  /** Queries the status of nodes before they are dialled. Configured by `node.nodeDetectEnable`. */
  readonly detects?: boolean;
  /** Opens a connection that emits 'connect' when established; default: TCP. */
  readonly connect?: (target: HostPort) => ByteLink;
  /** Called with the number of bytes of each sent frame and of each received chunk. */
  readonly bytes?: (kind: 'tcpIn' | 'tcpOut', count: number) => void;
  readonly handler: TransportHandler;
  readonly log: Logger;
  readonly now: () => number;
}

/** Receiver of application messages. */
interface TransportHandler {
  /** Called when the handshake of a connection is complete. */
  connected(channel: Channel): void;
  disconnected(channel: Channel): void;
  /**
   * Handles an application message: a type byte, followed by a protobuf message.
   * @throws errors that close the connection
   */
  message(channel: Channel, bytes: Uint8Array): void | Promise<void>;
}

/**
 * Connections to other nodes: listening, dialling, handshake, keep-alive. Reference: P2pService of TRON's Java library
 * libp2p.
 */
export class Transport {
  readonly table: ChannelTable;
  private readonly options: TransportOptions;
  private readonly handshake: Handshake;
  private readonly pool: DialPool;
  private readonly channels = new Set<Channel>();
  private readonly pending = new Set<ByteLink>();
  private readonly pendingHandshakes = new PendingHandshakes();
  private readonly detect: NodeDetect;
  /** Connections that this node opened for a status request. */
  private readonly detecting = new Map<Channel, HostPort>();
  /**
   * Connections that carried a status request, or that were closed because too many handshakes were pending. Their
   * close causes no ban, and is reported only after a complete handshake. If a peer sent both a status request and a
   * handshake, java-tron never reports the close, and announces to this peer until a ping times out.
   */
  private readonly isUnnoticed = new WeakSet<Channel>();
  private readonly budget = new ByteBudget({ bytesMax: UNREAD_BYTES_MAX, stallMs: MESSAGE_STALL_MS });
  private server: Server | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(options: TransportOptions) {
    const { now, self, networkId, handler, rules } = options;
    this.options = options;
    this.table = new ChannelTable(options, { ownId: self().id, now });
    const connected = (channel: Channel): void => {
      this.pendingHandshakes.delete(channel);
      this.pool.opened(channel);
      handler.connected(channel);
    };
    this.handshake = new Handshake({ table: this.table, rules, networkId, self, now, connected });
    const dial = (target: HostPort, nodeId: string): void =>
      this.dial(target, { nodeId, ended: () => this.pool.dialEnded(target) });
    const detected = (): readonly NodeAddress[] => this.detect.nodes();
    this.pool = new DialPool({ ...options, detected, table: this.table, dial });
    this.detect = new NodeDetect({
      candidates: options.candidates,
      targetOf: (node) => this.pool.targetOf(node),
      request: (target, nodeId) => this.requestStatus(target, nodeId),
      now,
    });
  }

  /** Starts the transport. If the port is in use, the error is logged and the node only dials, as in java-tron. */
  async start(): Promise<void> {
    const { listenPort, now, log } = this.options;
    if (listenPort > 0) {
      this.server = await listen(listenPort, (socket) => this.accept(socket)).catch((error: unknown) => {
        log.error({ err: error, port: listenPort }, 'p2p listener failed to start');
        return undefined;
      });
      this.server?.on('error', (error) => log.error({ err: error }, 'p2p listener failed'));
    }
    this.timer = setInterval(() => {
      for (const channel of this.table.all()) keepAlive(channel, now());
      for (const channel of this.channels) channel.checkSilence();
    }, KEEP_ALIVE_PERIOD_MS);
    this.pool.start();
    if (this.options.detects === true) this.detect.start();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.pool.close();
    this.detect.close();
    clearInterval(this.timer);
    const closed = this.server && new Promise((resolve) => this.server?.close(resolve));
    for (const channel of this.table.all()) channel.sayGoodbye('PEER_QUITING');
    for (const channel of this.channels) channel.close();
    for (const socket of this.pending) socket.destroy();
    await closed;
  }

  /**
   * Dials a node outside of the pool of dialled nodes, so the pool does not count the connection.
   * @param ended called when the node is unreachable or disconnected
   */
  connect(target: HostPort, nodeId: string, ended: () => void = () => undefined): void {
    this.dial(target, { nodeId, ended });
  }

  /** Returns the address at which this node can dial another node, or undefined if no address is suitable. */
  targetOf(node: NodeAddress): HostPort | undefined {
    return this.pool.targetOf(node);
  }

  /** Accepts an incoming connection. */
  accept(socket: ByteLink): void {
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const letGo = this.pendingHandshakes.add(this.take(socket, { isActive: false }));
    if (letGo !== undefined) this.partUnnoticed(letGo);
  }

  /** Sends a HELLO on an outgoing connection. */
  open(socket: ByteLink, nodeId?: string): void {
    this.handshake.start(this.take(socket, { isActive: true, ...(nodeId !== undefined && { nodeId }) }));
  }

  private dial(target: HostPort, { nodeId, ended }: { nodeId: string; ended: () => void }): void {
    this.reach(target, {
      opened: (socket) => this.open(socket, nodeId),
      ended: () => {
        if (!this.isClosing) ended();
      },
    });
  }

  /** Opens a connection for one status request. The handler is not notified of this connection. */
  private requestStatus(target: HostPort, nodeId: string): void {
    this.reach(target, {
      opened: (socket) => {
        const channel = this.take(socket, { isActive: true, nodeId });
        this.isUnnoticed.add(channel);
        this.detecting.set(channel, target);
        channel.send(this.status());
      },
      ended: () => this.detect.disconnected(target),
    });
  }

  /** Opens a connection. @param ended called after the connection was closed or could not be opened */
  private reach(target: HostPort, { opened, ended }: { opened: (socket: ByteLink) => void; ended: () => void }): void {
    const { log, connect = connectTcp } = this.options;
    const socket = connect(target);
    this.pending.add(socket);
    const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), CONNECT_TIMEOUT_MS);
    const failed = (error: Error): void => log.debug({ peer: target, reason: error.message }, 'dial failed');
    socket.once('error', failed).once('close', () => {
      clearTimeout(timer);
      this.pending.delete(socket);
      ended();
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      this.pending.delete(socket);
      socket.off('error', failed);
      opened(socket);
    });
  }

  private take(socket: ByteLink, connection: { isActive: boolean; nodeId?: string }): Channel {
    const { rules, isTrusted, now, log, handler, bytes = () => undefined } = this.options;
    const channel = new Channel({
      socket,
      rules,
      ...connection,
      isTrusted,
      now,
      clock: () => performance.now(),
      bytes,
      budget: this.budget,
      events: {
        message: (from, bytes) => this.message(from, bytes),
        closing: ({ host }, banMs) => this.table.bans.ban(host, banMs),
        failed: ({ host, port }, error) => {
          const level = error instanceof P2pError && error.code === 'CLOCK_AHEAD' ? 'warn' : 'debug';
          log[level](
            { peer: { host, port }, reason: error instanceof Error ? error.message : error },
            'connection failed',
          );
        },
        closed: (ended) => {
          this.channels.delete(ended);
          this.pendingHandshakes.delete(ended);
          this.detecting.delete(ended);
          const isUnnoticed = this.isUnnoticed.has(ended);
          if (isUnnoticed && !ended.isHandshaken) return;
          this.table.remove(ended);
          this.pool.closed(ended);
          handler.disconnected(ended);
          if (!this.isClosing && !isUnnoticed) this.table.bans.ban(ended.host, CLOSED_BAN_MS);
        },
      },
    });
    this.channels.add(channel);
    return channel;
  }

  private message(channel: Channel, bytes: Uint8Array): void | Promise<void> {
    const { rules, handler, now } = this.options;
    const [type] = bytes;
    if (type === undefined) throw new P2pError('EMPTY_MESSAGE', '');
    if (type === UNHANDLED_TYPE) throw new P2pError('NO_SUCH_MESSAGE', `type:${type}`);
    const statusRequest = this.detecting.get(channel);
    if (statusRequest !== undefined) {
      this.takeStatus(channel, statusRequest, bytes);
      return;
    }
    if (type < FRAMEWORK_FROM) {
      if (!channel.isHandshaken && !this.handshake.takeSilent(channel)) return;
      return handler.message(channel, bytes);
    }
    const decoded = decodeFramework(bytes, now(), rules.matchesWhole);
    if (decoded.kind === 'hello') this.handshake.take(channel, decoded.message);
    else if (decoded.kind === 'status') this.answerStatus(channel);
    else if (decoded.kind === 'goodbye') this.partWith(channel, decoded.message.reason);
    else takeKeepAlive(channel, decoded.kind, now());
  }

  /**
   * Handles a message on a connection that was opened for a status request.
   * Reference: ChannelManager.processMessage of TRON's Java library libp2p 2.2.8.
   */
  private takeStatus(channel: Channel, target: HostPort, bytes: Uint8Array): void {
    const { rules, now } = this.options;
    const [type] = bytes;
    if (type !== undefined && type < FRAMEWORK_FROM) {
      channel.sayGoodbye('DISCOVER_MODE');
      channel.end();
      return;
    }
    const decoded = decodeFramework(bytes, now(), rules.matchesWhole);
    if (decoded.kind !== 'status') {
      channel.close();
      return;
    }
    const { maxConnections, currentConnections } = decoded.message;
    this.detect.answered(target, maxConnections - currentConnections);
    channel.end();
  }

  private answerStatus(channel: Channel): void {
    if (channel.isActive) return;
    channel.send(this.status());
    this.partUnnoticed(channel);
  }

  private status(): Uint8Array {
    const { self, networkId, maxConnections, now } = this.options;
    const message = Object.assign(new StatusMessage(), {
      from: toEndpoint(self()),
      networkId,
      maxConnections,
      currentConnections: this.table.size,
      timestamp: BigInt(now()),
    });
    return encodeStatus(message);
  }

  private partWith(channel: Channel, reason: number): void {
    this.options.log.info({ peer: channel.key, reason: goodbyeName(reason) }, 'peer sent disconnect');
    channel.close();
  }

  private partUnnoticed(channel: Channel): void {
    this.isUnnoticed.add(channel);
    this.pendingHandshakes.delete(channel);
    channel.end();
  }
}

function connectTcp(target: HostPort): Socket {
  return createConnection({ ...target, keepAlive: true, noDelay: true });
}

function listen(port: number, accept: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, accept);
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}
