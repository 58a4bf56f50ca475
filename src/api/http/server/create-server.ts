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
  /** Maximum number of open connections. Further connections are closed at once. Undefined: no limit. */
  readonly connectionsMax?: number;
  /** Decides which pages of other origins may read responses. Undefined: none. */
  readonly sources?: RequestSources | undefined;
  /** Maximum time in which a request must arrive, in milliseconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** Maximum idle time of a connection, in milliseconds. */
  readonly idleTimeoutMs?: number | undefined;
  /** Router options of a server with paths in java-tron's form. */
  readonly router?: Pick<FastifyServerOptions, 'frameworkErrors' | 'rewriteUrl' | 'routerOptions'>;
}

interface CreatedServer {
  readonly app: FastifyInstance;
  /** Pending requests of each connection. */
  readonly queue: RequestQueue;
}

/** Error of Node's HTTP parser, or error of a timeout that Node enforces. */
interface ParserError extends Error {
  readonly code?: string;
}

/** Default time within which a request must arrive, in milliseconds. It ends connections with incomplete requests. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Default idle time of a connection, in milliseconds, as in java-tron. */
const IDLE_TIMEOUT_MS = 30_000;
/** Time that Node adds to the keep-alive timeout before it closes a connection, in milliseconds. */
const KEPT_LONGER_MS = 1_000;
/** Maximum interval at which Node checks for requests that exceed their timeout, in milliseconds. */
const CHECK_MS = 5_000;

/** HTTP status for errors of the parser. All other parser errors are malformed requests with status 400. */
const STATUSES: ReadonlyMap<string | undefined, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/**
 * Creates the Fastify server of a port. The caller adds routes and makes it listen. A connection has one pending answer
 * at a time. If the client accepts no byte of an answer within the idle time, the connection is closed.
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

/** Closes connections without traffic, except those whose answer is being computed. */
function closeIdle(server: Server, queue: RequestQueue, idleTimeoutMs = IDLE_TIMEOUT_MS): void {
  server.setTimeout(idleTimeoutMs, (socket) => {
    const pending = queue.pendingOf(socket);
    if (socket.writableLength > 0) socket.destroy();
    else if (pending === undefined) socket.destroySoon();
    else if (!pending.req.complete) refuse(queue, socket, 408);
  });
}

/**
 * Answers malformed bytes with an error status, after the pending answers of the connection. Then closes the
 * connection.
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
