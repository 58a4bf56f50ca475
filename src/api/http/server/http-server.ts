import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EMPTY_BYTES } from '../../../primitives/bytes.js';
import { ownLimits } from '../../middleware/limit-state.js';
import { createMemoryBudgets, type MemoryBudgets } from '../../middleware/memory-budgets.js';
import type { CountedServer } from '../../middleware/shared/shared-limits.js';
import { routedTarget } from '../../request-path.js';
import { errorAnswer, type HttpAnswer, JSON_TYPE } from '../http-answer.js';
import type { IncomingRequest } from '../incoming-request.js';
import type { HttpMethod, ServedPath } from '../served-path.js';
import { ConnectionLimit } from './connection-limit.js';
import { createServer, type ServerOptions } from './create-server.js';
import { RateLimitedHandler, type RateLimitedHandlerOptions } from './rate-limited-handler.js';
import { readBodiesAsBytes } from './request-body.js';
import { send } from './send-answer.js';

export interface HttpServerOptions
  extends RateLimitedHandlerOptions,
    Pick<ServerOptions, 'sources' | 'requestTimeoutMs' | 'idleTimeoutMs'> {
  readonly paths: readonly ServedPath[];
  /**
   * Name under which the connections of all API threads are counted together. If undefined, the server counts only its
   * own connections.
   */
  readonly counted?: CountedServer | undefined;
  /** Maximum number of connections (`node.maxHttpConnectNumber`). 0 or less means no limit. */
  readonly connectionsMax: number;
  /** Maximum size of a body in bytes (`node.http.maxMessageSize`). Larger bodies get status 413. Undefined: 16 MiB. */
  readonly messageBytesMax?: number | undefined;
  /** Memory budgets of unfinished requests and unread responses. Default: those of the option `gate`. */
  readonly budgets?: MemoryBudgets;
}

/** A server of HTTP or JSON-RPC. */
export interface HttpServer {
  readonly app: FastifyInstance;
  /** Memory budgets of unfinished requests and unread responses. All servers of the thread can share these budgets. */
  readonly budgets: MemoryBudgets;
  /** Stops counting a connection that has changed to another protocol, such as WebSocket. */
  release(socket: Socket): void;
}

/** Maximum size of a body in bytes, if neither the configuration nor the release sets one. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum number of queued connections. */
const QUEUED_MAX = 1024;
/**
 * Maximum length of a path segment that a route reads, in characters. Node.js limits the whole request target to the
 * same 16 KiB.
 */
const SEGMENT_MAX = 16 * 1024;

/** Creates the server of an HTTP or JSON-RPC port. The caller starts to listen. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { counted, paths, connectionsMax, messageBytesMax = BODY_BYTES_MAX, gate, log, ...limits } = options;
  const budgets = options.budgets ?? gate?.budgets ?? createMemoryBudgets();
  const answers = new RateLimitedHandler(options);
  const reply = (request: FastifyRequest, to: FastifyReply, answer: HttpAnswer): void =>
    send(to, answers.counted(incomingOf(request), answer), budgets.answers);
  const { app, queue } = createServer({
    ...limits,
    bodyBytesMax: messageBytesMax,
    router: {
      rewriteUrl: ({ url = '' }) => routedTarget(url),
      // The handlers parse the query as java-tron does, so Fastify must not parse it.
      routerOptions: { maxParamLength: SEGMENT_MAX, querystringParser: () => ({}) },
      frameworkErrors: (error, request, to) => reply(request, to, errorAnswer(error.statusCode ?? 400, 'invalid path')),
    },
  });
  const shared = counted === undefined ? undefined : gate?.shared;
  const limit =
    connectionsMax > 0
      ? new ConnectionLimit(app.server, {
          served: (shared ?? ownLimits).count(counted ?? '', connectionsMax),
          queuedMax: QUEUED_MAX,
          queue,
        })
      : undefined;
  readBodiesAsBytes(app, queue, { bytesMax: messageBytesMax, budget: budgets.requests });
  for (const path of paths) {
    app.route({
      method: [...path.methods],
      url: path.path,
      handler: (request, to) => {
        const answer = answers.answer(path, incomingOf(request), request.ip);
        if (answer instanceof Promise) void answer.then((later) => send(to, later, budgets.answers));
        else send(to, answer, budgets.answers);
      },
    });
  }
  const methods = methodsByPath(paths);
  app.setNotFoundHandler((request, to) => reply(request, to, unserved(request, methods)));
  app.setErrorHandler((error: FastifyError, request, to) => {
    const { statusCode: status = 500, message } = error;
    if (status >= 500) log.error({ err: error, path: request.url }, 'request failed');
    reply(request, to, errorAnswer(status, status >= 500 ? 'internal error' : message));
  });
  app.addHook('preClose', async () => limit?.close());
  return { app, budgets, release: (socket) => limit?.release(socket) };
}

function incomingOf({ method, originalUrl, headers, body }: FastifyRequest): IncomingRequest {
  return {
    method,
    target: originalUrl,
    type: headers['content-type'] ?? '',
    body: body instanceof Uint8Array ? body : EMPTY_BYTES,
    host: headers.host,
    origin: headers.origin,
  };
}

function methodsByPath(paths: readonly ServedPath[]): ReadonlyMap<string, readonly HttpMethod[]> {
  const found = new Map<string, readonly HttpMethod[]>();
  for (const { path, methods } of paths) found.set(path, [...(found.get(path) ?? []), ...methods]);
  return found;
}

/** Responds to a request without a route. */
function unserved({ method, url }: FastifyRequest, methodsOf: ReadonlyMap<string, readonly HttpMethod[]>): HttpAnswer {
  const [path = ''] = url.split('?');
  const methods = methodsOf.get(path);
  if (methods === undefined) return errorAnswer(404, `no such path: ${path}`);
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') return { status: 200, type: JSON_TYPE, allow };
  return { ...errorAnswer(405, `method ${method} is not supported by this path`), allow };
}
