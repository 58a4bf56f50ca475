import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { P2pStatusMessage as StatusMessage } from '../../codec/generated/messages.js';
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

/** ms that a connection may take to come about. Reference: Parameter.NODE_CONNECTION_TIMEOUT. */
const CONNECT_TIMEOUT_MS = 2000;
/** First byte of messages of the connection layer. */
const FRAMEWORK_FROM = 0x80;
/** The one application type that nobody handles: the connection is closed without a word. */
const UNHANDLED_TYPE = 0x7f;

export interface TransportOptions extends DialLimits {
  readonly rules: TransportRules;
  readonly networkId: number;
  /** What this node announces, port included. */
  readonly self: () => NodeAddress;
  /** TCP port to listen on; 0: none. */
  readonly listenPort: number;
  readonly activeNodes: () => readonly HostPort[];
  /** Addresses whose connections are not counted, banned or parted from. */
  readonly isTrusted: (host: string) => boolean;
  readonly candidates: () => readonly NodeAddress[];
  /** Nodes that DNS trees list. */
  readonly listed?: () => readonly NodeAddress[];
  /** Nodes are asked for their status before they are dialled. `node.nodeDetectEnable` */
  readonly detects?: boolean;
  /** Makes a connection, which says 'connect' when it stands; by TCP where nothing else is given. */
  readonly connect?: (target: HostPort) => ByteLink;
  /** Told of all bytes that go over connections. */
  readonly bytes?: (kind: 'tcpIn' | 'tcpOut', count: number) => void;
  readonly handler: TransportHandler;
  readonly log: Logger;
  readonly now: () => number;
}

/** Who the messages are for. */
interface TransportHandler {
  /** A connection is ready for messages in both directions. */
  connected(channel: Channel): void;
  disconnected(channel: Channel): void;
  /** Type and protobuf of an application message. @throws what closes the connection without a word */
  message(channel: Channel, bytes: Uint8Array): void | Promise<void>;
}

/** Connections to other nodes: listens, dials, shakes hands, keeps alive. Reference: P2pService of libp2p. */
export class Transport {
  readonly table: ChannelTable;
  private readonly options: TransportOptions;
  private readonly handshake: Handshake;
  private readonly pool: DialPool;
  private readonly channels = new Set<Channel>();
  private readonly pending = new Set<ByteLink>();
  private readonly strangers = new PendingHandshakes();
  private readonly detect: NodeDetect;
  /** Connections on which a node was asked for its status. */
  private readonly detecting = new Map<Channel, HostPort>();
  /**
   * Connections that asked for the status, or were let go for others: they leave no ban, and are not counted unless
   * they have shaken hands. Of a peer that does both the reference tells nobody that it is gone: its place is taken for
   * ever, and announcements go to it until it answers no ping.
   */
  private readonly isUnnoticed = new WeakSet<Channel>();
  private server: Server | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(options: TransportOptions) {
    const { now, self, networkId, handler, rules } = options;
    this.options = options;
    this.table = new ChannelTable(options, { ownId: self().id, now });
    const connected = (channel: Channel): void => {
      this.strangers.delete(channel);
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
      ask: (target, nodeId) => this.ask(target, nodeId),
      now,
    });
  }

  /** A port that is taken is logged: the node then only dials, as the reference does. */
  async start(): Promise<void> {
    const { listenPort, now, log } = this.options;
    if (listenPort > 0) {
      this.server = await listen(listenPort, (socket) => this.accept(socket)).catch((error: unknown) => {
        log.error({ err: error, port: listenPort }, 'no peer can connect to this node');
        return undefined;
      });
      this.server?.on('error', (error) => log.error({ err: error }, 'a peer could not be accepted'));
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

  /** Dials a node outside the pool. @param ended it was not reached, or the connection is over */
  connect(target: HostPort, nodeId: string, ended: () => void = () => undefined): void {
    this.dial(target, { nodeId, ended });
  }

  /** Which address of a node can be dialled from here. */
  targetOf(node: NodeAddress): HostPort | undefined {
    return this.pool.targetOf(node);
  }

  /** Takes a connection that somebody else made. */
  accept(socket: ByteLink): void {
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const letGo = this.strangers.add(this.take(socket, { isActive: false }));
    if (letGo !== undefined) this.partUnnoticed(letGo);
  }

  /** Begins with a HELLO on a connection that this node made. */
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

  /** Asks a node for its status; nothing else is taken on that connection, and nobody hears of it. */
  private ask(target: HostPort, nodeId: string): void {
    this.reach(target, {
      opened: (socket) => {
        const channel = this.take(socket, { isActive: true, nodeId });
        this.isUnnoticed.add(channel);
        this.detecting.set(channel, target);
        channel.send(this.status());
      },
      ended: () => this.detect.gone(target),
    });
  }

  /** @param ended also of a connection that did not come about */
  private reach(target: HostPort, { opened, ended }: { opened: (socket: ByteLink) => void; ended: () => void }): void {
    const { log, connect = connectTcp } = this.options;
    const socket = connect(target);
    this.pending.add(socket);
    const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), CONNECT_TIMEOUT_MS);
    const failed = (error: Error): void => log.debug({ peer: target, reason: error.message }, 'a node was not reached');
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

  private take(socket: ByteLink, made: { isActive: boolean; nodeId?: string }): Channel {
    const { rules, isTrusted, now, log, handler, bytes = () => undefined } = this.options;
    const channel = new Channel({
      socket,
      rules,
      ...made,
      isTrusted,
      now,
      clock: () => performance.now(),
      bytes,
      events: {
        message: (from, bytes) => this.message(from, bytes),
        closing: ({ host }, banMs) => this.table.bans.ban(host, banMs),
        failed: ({ host, port }, error) => {
          const level = error instanceof P2pError && error.code === 'CLOCK_AHEAD' ? 'warn' : 'debug';
          log[level](
            { peer: { host, port }, reason: error instanceof Error ? error.message : error },
            'peer is closed',
          );
        },
        closed: (gone) => {
          this.channels.delete(gone);
          this.strangers.delete(gone);
          this.detecting.delete(gone);
          const isUnnoticed = this.isUnnoticed.has(gone);
          if (isUnnoticed && !gone.isHandshaken) return;
          this.table.remove(gone);
          this.pool.closed(gone);
          handler.disconnected(gone);
          if (!this.isClosing && !isUnnoticed) this.table.bans.ban(gone.host, CLOSED_BAN_MS);
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
    const asked = this.detecting.get(channel);
    if (asked !== undefined) {
      this.takeStatus(channel, asked, bytes);
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
   * On a connection on which a node was asked for its status.
   * Reference: ChannelManager.processMessage of libp2p 2.2.8.
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
    this.options.log.info({ peer: channel.key, reason: goodbyeName(reason) }, 'a peer ends the connection');
    channel.close();
  }

  private partUnnoticed(channel: Channel): void {
    this.isUnnoticed.add(channel);
    this.strangers.delete(channel);
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
