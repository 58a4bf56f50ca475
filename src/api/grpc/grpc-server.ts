import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { isIPv6 } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { TronError } from '../../primitives/errors.js';
import { TIMER_MS_MAX } from '../../primitives/units.js';
import type { ApiMiddleware } from '../middleware/api-middleware.js';
import { createMemoryBudgets } from '../middleware/memory-budgets.js';
import type { ApiRelease } from '../releases/api-release.js';
import type { ServerName } from '../servers.js';
import type { GrpcCall } from './grpc-method.js';
import type { GrpcPool } from './grpc-pool.js';
import { addHealthService, limitHealthRequest } from './health-service.js';
import { limitPings } from './ping-limit.js';
import { RateLimitedCalls } from './rate-limited-handler.js';
import { addReflection, type Reflection } from './reflection.js';
import { limitResets, type ResetLimit } from './reset-limit.js';
import { type AloneServices, grpcServices } from './services.js';
import { REQUEST_TIMEOUT_MS, UnaryStreams } from './unary-streams.js';

export interface GrpcServerOptions {
  readonly server: ServerName;
  /**
   * Returns the state and services for one call. They are valid until the end of the current turn of the event loop.
   */
  readonly call: () => GrpcCall;
  /** Names of the methods that `node.disabledApi` disables, in lower case. */
  readonly disabled: readonly string[];
  /** Limits from `node.rpc.*`. */
  readonly limits: GrpcLimits;
  /** Rate limits and counters; undefined to apply none. */
  readonly gate?: ApiMiddleware | undefined;
  readonly pool?: GrpcPool | undefined;
  /** Versions of the reflection service to offer. `tronicle.api.reflection`, `node.rpc.reflectionService` */
  readonly reflection?: Reflection;
  /** Returns true if the node is ready for requests of clients. `grpc.health.v1` reports it. Default: always true. */
  readonly isReady?: (() => boolean) | undefined;
  readonly release: ApiRelease;
  /** Services of a solidity node; undefined on other nodes. */
  readonly alone?: AloneServices | undefined;
  readonly log: Logger;
}

export interface GrpcLimits {
  /** Maximum size of a request, in bytes. */
  readonly maxMessageSize: number;
  readonly maxConcurrentCallsPerConnection: number;
  /** Idle time after which a connection is closed, in milliseconds. Very large values disable it. */
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
 * Maximum number of concurrent calls per connection. HTTP/2 clients queue further calls. The event loop reads up to 2
 * MiB from one socket before it reads the next socket. This limit therefore bounds the delay for other clients.
 */
const STREAMS_MAX = 256;
/**
 * Limit of reset calls per connection if `node.rpc.maxRstStream` sets none. In this case java-tron has no limit. A
 * client could then open and reset calls at any rate.
 */
const RESETS: ResetLimit = { max: 200, windowMs: 10_000 };
/** Maximum number of connections of a port. Each connection uses memory even without a request. */
const CONNECTIONS_MAX = 4_000;
/** Smallest flow control window that HTTP/2 allows, in bytes. The next constant is the largest one. */
const WINDOW_MIN = 65_535;
const WINDOW_MAX = 2 ** 31 - 1;

/**
 * Internal members of the gRPC library's server, which its types do not declare: settings, listeners, method lookup.
 */
interface Inside {
  readonly commonServerOptions: { settings?: Record<string, number> };
  readonly http2Servers: ReadonlyMap<Http2Server, unknown>;
  _retrieveHandler(path: string): unknown;
  /**
   * Called when a call opens. Counts the open calls of a connection, because a connection with open calls is not idle.
   */
  onStreamOpened(stream: ServerHttp2Stream): void;
}

type StreamListener = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  pairs: readonly string[],
) => void;

/** One of the three gRPC servers: full node, solidity, PBFT. */
export class GrpcServer {
  private readonly server: Server;
  private readonly limits: GrpcLimits;
  private readonly unary: UnaryStreams;
  private readonly endWatches: () => void;
  /** Returns true if the gRPC library itself answers calls of the path, as for health and reflection. */
  private readonly isRegistered: (path: string) => boolean;

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
    const answers = new RateLimitedCalls({
      services,
      call,
      disabled,
      gate,
      handOver: pool && ((name, request, reason) => pool.grpc(server, name, request, reason)),
    });
    this.limits = limits;
    this.server = new Server({
      'grpc.max_receive_message_length': limits.maxMessageSize,
      'grpc.max_send_message_length': -1,
      'grpc.max_concurrent_streams': Math.min(limits.maxConcurrentCallsPerConnection, STREAMS_MAX),
      'grpc.max_connection_idle_ms': Math.min(limits.maxConnectionIdleInMillis, TIMER_MS_MAX),
      'grpc.max_connection_age_ms': Math.min(limits.maxConnectionAgeInMillis, TIMER_MS_MAX),
      // Disables the statistics of the library. It would count every call, and no client can query the counters.
      'grpc.enable_channelz': 0,
    });
    addReflection(this.server, Object.keys(services), reflection);
    this.endWatches = addHealthService(this.server, Object.keys(services), isReady);
    const inside = insideOf(this.server);
    Object.assign(inside.commonServerOptions, {
      settings: {
        ...inside.commonServerOptions.settings,
        initialWindowSize: windowOf(limits),
        maxHeaderListSize: limits.maxHeaderListSize,
      },
    });
    this.unary = new UnaryStreams({
      answers,
      messageBytesMax: limits.maxMessageSize,
      headBytesMax: limits.maxHeaderListSize,
      rules: release.grpc,
      budgets: gate?.budgets ?? createMemoryBudgets(),
      log,
    });
    const registered = inside._retrieveHandler.bind(this.server);
    this.isRegistered = (path) => registered(path) !== null && registered(path) !== undefined;
  }

  /** Opens the port. Returns its number. @throws {TronError} PORT_IN_USE if the port cannot be opened */
  listen({ port, host }: { readonly port: number; readonly host: string }): Promise<number> {
    const address = isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
    return new Promise((resolve, reject) => {
      this.server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
        if (error !== null) {
          return reject(new TronError('PORT_IN_USE', `gRPC cannot listen on port ${port}: ${error.message}`));
        }
        for (const listener of insideOf(this.server).http2Servers.keys()) {
          this.takeUnary(listener);
          limitListener(listener, this.limits);
        }
        resolve(bound);
      });
    });
  }

  async close(): Promise<void> {
    this.endWatches();
    this.unary.close();
    this.server.forceShutdown();
  }

  /** Handles calls of java-tron's methods directly on HTTP/2. Passes all other calls to the gRPC library. */
  private takeUnary(listener: Http2Server): void {
    const others = listener.listeners('stream') as StreamListener[];
    listener.removeAllListeners('stream');
    const take: StreamListener = (stream, headers, flags, pairs) => {
      const path = String(headers[':path']);
      if (this.isRegistered(path)) {
        limitStream(stream);
        for (const other of others) other(stream, headers, flags, pairs);
        limitHealthRequest(stream, path);
        return;
      }
      insideOf(this.server).onStreamOpened(stream);
      this.unary.serve(stream, headers, pairs);
    };
    listener.on('stream', take);
  }
}

function limitListener(listener: Http2Server, limits: GrpcLimits): void {
  listener.maxConnections = CONNECTIONS_MAX;
  listener.on('session', (session: ServerHttp2Session) => {
    session.setLocalWindowSize(windowOf(limits));
    limitPings(session);
    limitResets(session, limits.resets ?? RESETS);
  });
}

function limitStream(stream: ServerHttp2Stream): void {
  stream.setTimeout(REQUEST_TIMEOUT_MS, () => stream.destroy());
  // Ends the timeout, because a client that has sent its request may wait for the reply without a time limit.
  stream.once('end', () => stream.setTimeout(0));
}

function windowOf({ flowControlWindow }: GrpcLimits): number {
  return Math.min(WINDOW_MAX, Math.max(WINDOW_MIN, flowControlWindow));
}

function insideOf(server: Server): Inside {
  return server as unknown as Inside;
}
