import { createServer as createNodeServer, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { errorAnswer } from '../http-answer.js';
import { addCors } from './cors.js';
import { RequestQueue } from './request-queue.js';
import type { RequestSources } from './request-sources.js';

export interface ServerOptions {
  /** Maximum size of a request body, in bytes. Larger bodies get status 413. */
  readonly bodyBytesMax: number;
  /** Maximum number of open connections. Further connections are closed immediately. Undefined means no limit. */
  readonly connectionsMax?: number;
  /**
   * Rules that decide which web pages of other origins may read responses. If undefined, no page of another origin
   * may read them.
   */
  readonly sources?: RequestSources | undefined;
  /** Time in ms within which a request must arrive completely. */
  readonly requestTimeoutMs?: number | undefined;
  /** Maximum idle time of a connection, in ms. */
  readonly idleTimeoutMs?: number | undefined;
  /** Router options of a server whose paths have java-tron's form. */
  readonly router?: Pick<FastifyServerOptions, 'frameworkErrors' | 'rewriteUrl' | 'routerOptions'>;
}

interface CreatedServer {
  readonly app: FastifyInstance;
  /** Pending requests of each connection. */
  readonly queue: RequestQueue;
}

/** Error of the HTTP parser of Node.js, or error of a timeout that Node.js enforces. */
interface ParserError extends Error {
  readonly code?: string;
}

/**
 * Default time in ms within which a request must arrive. After it, a connection with an incomplete request is closed.
 */
const REQUEST_TIMEOUT_MS = 60_000;
/** Default idle time of a connection in ms, as in java-tron. */
const IDLE_TIMEOUT_MS = 30_000;
/** Time in ms that Node.js adds to the keep-alive timeout before it closes a connection. */
const KEPT_LONGER_MS = 1_000;
/** Maximum interval in ms at which Node.js checks for requests that exceed their timeout. */
const CHECK_MS = 5_000;

/** HTTP status for the error codes of the parser. All other errors mean a malformed request, with status 400. */
const STATUSES: ReadonlyMap<string | undefined, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/**
 * Creates the Fastify server of a port. The caller adds routes and starts to listen. A connection has one pending
 * response at a time. If the client reads no byte of a response within the idle time, the connection is closed.
 */
export function createServer(options: ServerOptions): CreatedServer {
  const { bodyBytesMax, connectionsMax, sources, router } = options;
  const queue = new RequestQueue();
  const app = Fastify({
    ...router,
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    serverFactory: (handler) => {
      const server = createNodeServer(timeouts(options), (request, response) =>
        queue.add(request, response, () => handler(request, response)),
      );
      if (connectionsMax !== undefined) server.maxConnections = connectionsMax;
      closeIdle(server, queue, options.idleTimeoutMs);
      return server;
    },
    clientErrorHandler: ({ code }: ParserError, socket: Socket) => {
      if (code !== 'ECONNRESET') refuse(queue, socket, STATUSES.get(code) ?? 400);
    },
  });
  if (sources?.servesPages === true) addCors(app, sources);
  return { app, queue };
}

function timeouts({ requestTimeoutMs = REQUEST_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS }: ServerOptions) {
  return {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(idleTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(CHECK_MS, requestTimeoutMs),
    keepAliveTimeout: Math.max(idleTimeoutMs - KEPT_LONGER_MS, 1),
  };
}

/**
 * Closes connections that are idle for `idleTimeoutMs`. Does not close a connection whose response is being computed.
 */
function closeIdle(server: Server, queue: RequestQueue, idleTimeoutMs = IDLE_TIMEOUT_MS): void {
  server.setTimeout(idleTimeoutMs, (socket) => {
    const pending = queue.pendingOf(socket);
    if (socket.writableLength > 0) socket.destroy();
    else if (pending === undefined) socket.destroySoon();
    else if (!pending.req.complete) refuse(queue, socket, 408);
  });
}

/**
 * Responds to a malformed or late request with an error status, after the pending responses of the connection. Then
 * closes the connection.
 */
function refuse(queue: RequestQueue, socket: Socket, status: number): void {
  const reason = STATUS_CODES[status] ?? '';
  const { type, body = '' } = errorAnswer(status, reason.toLowerCase());
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  queue.afterAnswers(socket, () => {
    if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
