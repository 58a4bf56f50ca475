import {
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { TronError } from '../../primitives/errors.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import { createMemoryBudgets } from '../middleware/memory-budgets.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { ServerName } from '../servers.js';
import { CallStreams } from './call-streams.js';
import { limitAge, limitIdleTime } from './connection-age.js';
import { ConnectionQueue } from './connection-queue.js';
import type { GrpcCall } from './grpc-method.js';
import type { GrpcPool } from './grpc-pool.js';
import { HealthService } from './health-service.js';
import { limitPings } from './ping-limit.js';
import { RateLimitedCalls } from './rate-limited-handler.js';
import { type Reflection, reflectionMethods } from './reflection/reflection.js';
import { limitResets, type ResetLimit } from './reset-limit.js';
import { grpcServices, type StandaloneServices } from './services.js';

export interface GrpcServerOptions {
  readonly server: ServerName;
  /**
   * Returns the state and services for one call. Both are valid until the end of the current turn of the event loop.
   */
  readonly call: () => GrpcCall;
  /** Names of the methods that `node.disabledApi` disables, in lower case. */
  readonly disabled: readonly string[];
  /** Limits from `node.rpc.*`. */
  readonly limits: GrpcLimits;
  /** Rate limits and counters; undefined to apply none. */
  readonly gate?: ApiMiddleware | undefined;
  readonly pool?: GrpcPool | undefined;
  /** Versions of the reflection service. Configuration: `tronicle.api.reflection`, `node.rpc.reflectionService` */
  readonly reflection?: Reflection;
  /** Returns true if the node is ready for clients. The service `grpc.health.v1` reports this. Default: always true. */
  readonly isReady?: (() => boolean) | undefined;
  readonly release: ApiRelease;
  /** Additional services of a solidity node; undefined on other nodes. */
  readonly alone?: StandaloneServices | undefined;
  readonly log: Logger;
}

export interface GrpcLimits {
  /** Maximum size of a request, in bytes. */
  readonly maxMessageSize: number;
  readonly maxConcurrentCallsPerConnection: number;
  /** Idle time in ms after which a connection is closed. Very large values mean no limit. */
  readonly maxConnectionIdleInMillis: number;
  readonly maxConnectionAgeInMillis: number;
  /** Maximum size of request headers, in bytes. */
  readonly maxHeaderListSize: number;
  /** HTTP/2 flow control window of a call and of a connection, in bytes. */
  readonly flowControlWindow: number;
  /**
   * Maximum number of calls that a connection may reset. Default: 200 in 10 s.
   * Configuration: `node.rpc.maxRstStream`, `node.rpc.secondsPerWindow`
   */
  readonly resets?: ResetLimit | undefined;
}

/**
 * Maximum number of concurrent calls of a connection. HTTP/2 clients queue further calls. One turn of the event loop
 * can receive all calls of all connections, so this limit bounds the delay for other clients.
 */
const STREAMS_MAX = 256;
/** Minimum number of concurrent calls per connection, even on a server with many connections. */
const STREAMS_MIN = 8;
/**
 * Dividend for the limit of concurrent calls. The limit of a new connection is this number divided by the number of
 * connections, in the range {@link STREAMS_MIN} to {@link STREAMS_MAX}.
 */
const STREAMS_DIVIDED = 1024;
/**
 * Limit of reset calls per connection if `node.rpc.maxRstStream` sets none. java-tron then has no limit, so a client
 * could open and reset calls at any rate.
 */
const RESETS: ResetLimit = { max: 200, windowMs: 10_000 };
/** Maximum number of connections of a port. Each connection uses memory even without a request. */
const CONNECTIONS_MAX = 4_000;
/** Smallest flow control window that HTTP/2 allows, in bytes. */
const WINDOW_MIN = 65_535;
/** Largest flow control window that HTTP/2 allows, in bytes. */
const WINDOW_MAX = 2 ** 31 - 1;

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** True if other threads listen on the same port. */
  readonly reusePort?: boolean;
}

/**
 * Listener of `stream` events. The types of Node.js 20 do not declare the last parameter, which contains the headers
 * as received.
 */
type StreamListener = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  pairs: readonly string[],
) => void;

/**
 * One of the three gRPC servers: full node, solidity, PBFT. All methods are implemented directly on HTTP/2, including
 * health and reflection.
 */
export class GrpcServer {
  private readonly server: Server;
  private readonly limits: GrpcLimits;
  private readonly streams: CallStreams;
  private readonly health: HealthService;
  private readonly queue = new ConnectionQueue((socket) => this.start(socket));
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly serve: StreamListener = (stream, headers, _flags, pairs) =>
    this.streams.serve(stream, headers, pairs);

  constructor({
    server,
    call,
    disabled,
    limits,
    gate,
    pool,
    reflection = 'none',
    isReady = () => true,
    release,
    alone,
    log,
  }: GrpcServerOptions) {
    const services = grpcServices(server, { release, hasMonitor: gate?.hasMeters, alone });
    const names = Object.keys(services);
    this.health = new HealthService(names, isReady);
    this.streams = new CallStreams({
      methods: new Map([...this.health.methods, ...reflectionMethods(names, reflection)]),
      answers: new RateLimitedCalls({
        services,
        call,
        disabled,
        gate,
        handOver: pool && ((name, request, reason) => pool.grpc(server, name, request, reason)),
      }),
      messageBytesMax: limits.maxMessageSize,
      headBytesMax: limits.maxHeaderListSize,
      release,
      budgets: gate?.budgets ?? createMemoryBudgets(),
      log,
    });
    this.limits = limits;
    this.server = createServer({ pauseOnConnect: true }, (socket) => this.queue.add(socket));
    this.server.maxConnections = CONNECTIONS_MAX;
  }

  /** Opens the port and returns its number. @throws {TronError} PORT_IN_USE: the port cannot be opened */
  listen(options: ListenOptions): Promise<number> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void =>
        reject(new TronError('PORT_IN_USE', `gRPC cannot listen on port ${options.port}: ${error.message}`));
      this.server.once('error', fail);
      this.server.listen(options, () => {
        this.server.off('error', fail);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  async close(): Promise<void> {
    this.health.close();
    this.streams.close();
    this.server.close();
    this.queue.close();
    for (const session of this.sessions) session.destroy();
  }

  /** Starts HTTP/2 on a connection. */
  private start(socket: Socket): void {
    const { limits, sessions } = this;
    const session = performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: Math.min(limits.maxConcurrentCallsPerConnection, streamsMax(sessions.size + 1)),
        initialWindowSize: windowOf(limits),
        maxHeaderListSize: limits.maxHeaderListSize,
      },
      // The memory budgets already limit the memory of a connection. The limit of Node.js is disabled, because Node.js
      // would reset calls above this limit without a gRPC status for the client.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
      // Responses repeat request headers and method names. These can be longer than the default limit.
      maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
    });
    socket.resume();
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Node.js itself closes the session after malformed frames or an error of the socket.
    session.on('error', () => undefined);
    session.on('stream', this.serve);
    session.setLocalWindowSize(windowOf(limits));
    limitPings(session);
    limitResets(session, limits.resets ?? RESETS);
    limitIdleTime(session, limits.maxConnectionIdleInMillis);
    limitAge(session, limits.maxConnectionAgeInMillis);
  }
}

/**
 * Returns the maximum number of concurrent calls of a new connection.
 * @param connections number of connections, including the new one
 */
function streamsMax(connections: number): number {
  return Math.max(STREAMS_MIN, Math.min(STREAMS_MAX, Math.floor(STREAMS_DIVIDED / connections)));
}

function windowOf({ flowControlWindow }: GrpcLimits): number {
  return Math.min(WINDOW_MAX, Math.max(WINDOW_MIN, flowControlWindow));
}
