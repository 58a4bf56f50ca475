import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import websocket from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { DropReason } from '../../../primitives/byte-budget.js';
import type { HttpServer } from '../../http/server/http-server.js';
import type { RequestSources } from '../../http/server/request-sources.js';
import { CloseCode } from '../../http/web-sockets/close-code.js';
import { MessageMemory } from '../../http/web-sockets/message-memory.js';
import { PingedSockets } from '../../http/web-sockets/pinged-sockets.js';
import { PlainUpgrades } from '../../http/web-sockets/plain-upgrades.js';
import { ReadPause } from '../../http/web-sockets/read-pause.js';
import type { AdmittedCall } from '../../middleware/rate-limit.js';
import { resolveTarget } from '../../request-path.js';
import { RPC_PATH } from '../dispatch.js';
import { answerLimited, answerRequest, type RpcMethods, type RpcVersionForm } from '../envelope.js';
import { allowedMethods } from '../methods/control-methods.js';
import { PendingAnswer } from './pending-answer.js';
import type { Subscriber, Subscriptions } from './subscriptions.js';

interface WebSocketOptions {
  readonly methods: RpcMethods;
  readonly form: RpcVersionForm;
  readonly subscriptions: Subscriptions;
  /** Rules that select the origins of web pages that may open a connection. */
  readonly sources: RequestSources;
  /** Maximum size of a request, in bytes. */
  readonly messageBytesMax: number;
  /** Applies the port's rate limits to a request of a client address. If undefined, there are no limits. */
  readonly admit?: (address: string) => AdmittedCall | Promise<AdmittedCall> | undefined;
  /** Limits for a client that reads too slowly. */
  readonly limits?: SocketLimits;
}

interface SocketLimits {
  /** Maximum number of unsent bytes per client. A client that exceeds it is disconnected. */
  readonly unsentBytesMax: number;
  /** Time in ms between the close frame and the forced disconnect. */
  readonly closeTimeoutMs: number;
}

/** Default limits. The notifications for one block are far smaller than 8 MiB. */
const SOCKET_LIMITS: SocketLimits = { unsentBytesMax: 8 * 1024 * 1024, closeTimeoutMs: 10_000 };
/**
 * A connection is not read while it has this number of unanswered messages, or unanswered messages of this size in
 * bytes.
 */
const PAUSE = { messagesMax: 100, bytesMax: 1024 * 1024 };
/** Maximum WebSocket connections per port, in addition to `node.maxHttpConnectNumber`. */
const CLIENTS_MAX = 1_000;
const PATHS = [RPC_PATH, '/'];

/** Serves JSON-RPC over WebSocket on the port of an HTTP server that does not listen yet. */
export function serveWebSockets(server: HttpServer, options: WebSocketOptions): void {
  const { app } = server;
  const sockets = new WebSockets(server, options);
  // The WebSocket library has a separate server, which does not listen. It receives only WebSocket upgrades.
  const upgrades = createServer();
  const plain = new PlainUpgrades(app.server);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isWebSocket(request)) upgrades.emit('upgrade', request, socket, head);
    else plain.answer(request, socket, head);
  });
  // Registered in a separate Fastify scope, because the hooks of the library must not run for ordinary HTTP requests.
  app.register(async (scope) => {
    await scope.register(websocket, {
      options: { server: upgrades, maxPayload: options.messageBytesMax, clientTracking: false },
      // Errors in frames need no handler, because the library itself sends a close frame with the reason.
      errorHandler: () => undefined,
      preClose: (done) => {
        sockets.close();
        done();
      },
    });
    for (const url of PATHS)
      scope.route({
        method: 'GET',
        url,
        preValidation: (request, reply, done) => (request.ws && sockets.refuses(request, reply) ? undefined : done()),
        handler: (_, reply) => reply.callNotFound(),
        wsHandler: (socket, request) => sockets.serve(socket, request),
      });
  });
}

/** Returns true for a request that opens a WebSocket. */
function isWebSocket({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  const path = resolveTarget(url)?.path;
  return path !== undefined && PATHS.includes(path);
}

/** Returns true if the text of a request starts a list of calls. */
function isBatch(request: string): boolean {
  return /^\s*\[/.test(request);
}

/** The WebSocket connections of a port. */
class WebSockets {
  private readonly server: HttpServer;
  private readonly options: WebSocketOptions;
  private readonly clients = new Set<Client>();
  private readonly pinged = new PingedSockets();

  constructor(server: HttpServer, options: WebSocketOptions) {
    this.server = server;
    this.options = options;
  }

  /** Closes all connections. */
  close(): void {
    this.pinged.close();
    for (const client of this.clients) client.end(CloseCode.GOING_AWAY, 'node shutting down', 0);
  }

  /**
   * Responds to a request that must not open a connection.
   * @returns true if the request was rejected; false if it may open a connection
   */
  refuses({ headers }: FastifyRequest, reply: FastifyReply): boolean {
    const status = !this.options.sources.mayConnect(headers) ? 403 : this.clients.size >= CLIENTS_MAX ? 503 : undefined;
    if (status === undefined) return false;
    reply.code(status).header('connection', 'close').send();
    return true;
  }

  serve(socket: WebSocket, { raw, ip, headers }: FastifyRequest): void {
    this.server.release(raw.socket);
    const client = new Client(socket, this.options.limits ?? SOCKET_LIMITS);
    const memory = new MessageMemory(raw.socket, this.server.budgets.requests, (reason) => client.drop(reason));
    const { methods, form, subscriptions, sources, admit } = this.options;
    const allowed = allowedMethods(methods, sources.changeRefusal(headers));
    const all = new Map([...allowed, ...subscriptions.methodsFor(client)]);
    const pause = new ReadPause(socket, PAUSE);
    this.clients.add(client);
    this.pinged.add(socket);
    socket.on('message', (message: Buffer) => {
      const { length } = message;
      const request = String(message);
      const pending = isBatch(request) ? new PendingAnswer() : undefined;
      const called = pending === undefined ? all : new Map([...all, ...subscriptions.methodsFor(client, pending)]);
      const free = memory.need(length);
      pause.started(length);
      client
        .answer((text) => answerRequest(called, text, form), request, admit?.(ip))
        .catch(() => client.fail())
        .finally(() => {
          pending?.sent();
          free();
          pause.ended(length);
        });
    });
    socket.on('close', () => {
      this.clients.delete(client);
      client.isOver = true;
      subscriptions.drop(client);
      memory.close();
    });
  }
}

/** One WebSocket connection with its subscriptions. */
class Client implements Subscriber {
  isOver = false;
  private readonly socket: WebSocket;
  private readonly limits: SocketLimits;

  constructor(socket: WebSocket, limits: SocketLimits) {
    this.socket = socket;
    this.limits = limits;
  }

  async answer(
    answerTo: (request: string) => string | Promise<string>,
    request: string,
    admission: AdmittedCall | Promise<AdmittedCall> | undefined,
  ): Promise<void> {
    const entry = await admission;
    try {
      if (this.isOver) return;
      const text = entry?.isAdmitted === false ? answerLimited(request) : await answerTo(request);
      if (text !== '') this.send(text.trimEnd());
    } finally {
      if (entry?.isAdmitted === true) entry.leave();
    }
  }

  send(text: string): void {
    if (this.isOver) return;
    this.socket.send(text);
    const { bufferedAmount } = this.socket;
    const { unsentBytesMax, closeTimeoutMs } = this.limits;
    if (bufferedAmount > unsentBytesMax) {
      this.end(CloseCode.POLICY, `too slow: ${bufferedAmount} unread bytes, maximum ${unsentBytesMax}`, closeTimeoutMs);
    }
  }

  /** Closes the connection, because its messages use too much memory or arrive too slowly. */
  drop(reason: DropReason): void {
    if (reason === 'full') this.end(CloseCode.TRY_LATER, 'too many unfinished or unanswered messages', 0);
    else this.end(CloseCode.POLICY, 'message did not arrive in time', 0);
  }

  fail(): void {
    this.end(CloseCode.FAILED, 'internal error', 0);
  }

  /** Sends a close frame with the reason. If the client has not closed after `waitMs`, disconnects it. */
  end(code: number, reason: string, waitMs: number): void {
    this.isOver = true;
    this.socket.close(code, reason);
    if (waitMs === 0) setImmediate(() => this.socket.terminate());
    else setTimeout(() => this.socket.terminate(), waitMs).unref();
  }
}
