import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Response as InjectedResponse, type InjectOptions, inject } from 'light-my-request';
import type { DropReason } from '../../../primitives/byte-budget.js';
import { createMemoryBudgets, type MemoryBudgets } from '../../middleware/memory-budgets.js';
import type { ApiRelease } from '../../releases/api-release.js';
import { type HttpAnswer, hasPages, JSON_TYPE, shortPage } from '../error-pages.js';
import type { IncomingRequest } from '../incoming-request.js';
import { ConnectionLimit } from './connection-limit.js';
import { Cors } from './cors.js';
import { headRefusal } from './head-rules.js';
import { type ParserError, parserRefusal } from './parser-refusals.js';
import { type AnswersOptions, RateLimitedHandler } from './rate-limited-handler.js';
import { contentLengthOf, hasBody, LATE_BODY, type RequestBody, readBody } from './request-body.js';
import { RequestQueue } from './request-queue.js';
import { LOCAL_SOURCES, type RequestSources } from './request-sources.js';
import { headersOf, send } from './send-answer.js';

export interface HttpServerOptions extends AnswersOptions {
  /** Version of Jetty that the server emulates. */
  readonly jetty: ApiRelease['jetty'];
  /** `node.maxHttpConnectNumber`; 0 or less: no limit. */
  readonly connectionsMax: number;
  /** `node.http.maxMessageSize`: larger bodies get status 413; undefined: the behaviour of release 4.7.2. */
  readonly messageBytesMax?: number | undefined;
  /** Decides which pages may read responses. Default: none of another origin. */
  readonly sources?: RequestSources;
  /** Limits of unfinished requests and unread answers. Default: those of `gate`. */
  readonly budgets?: MemoryBudgets;
  /** Maximum time in which a request must arrive, in milliseconds. */
  readonly requestTimeoutMs?: number;
  /** Maximum idle time of a connection, in milliseconds. */
  readonly idleTimeoutMs?: number;
}

/** Default time in which a request must arrive, in milliseconds. Frees connections with incomplete requests. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Jetty's idle timeout, in milliseconds. */
const IDLE_TIMEOUT_MS = 30_000;
/** Node adds this time to the keep-alive timeout, in milliseconds. */
const KEPT_LONGER_MS = 1_000;
/** Jetty's limit for request headers, in bytes. */
const HEADER_BYTES_MAX = 8192;
/** Methods whose body is not read. */
const BODILESS = new Set(['GET', 'HEAD', 'TRACE']);
/** Maximum number of connections in the queue. */
const WAITING_MAX = 1024;

/** Creates an HTTP server that behaves like Jetty. The caller makes it listen. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new HttpServer(options);
}

/**
 * HTTP server that passes every path and method to one dispatcher, which follows java-tron's rules. It uses Node's
 * server directly. A framework would add no function here, but take a third of the time of a short response.
 */
export class HttpServer {
  readonly server: Server;
  /** Limits of unfinished requests and unread answers, shared with the other servers. */
  readonly budgets: MemoryBudgets;
  private readonly options: HttpServerOptions;
  private readonly answers: RateLimitedHandler;
  private readonly cors: Cors | undefined;
  private readonly limit: ConnectionLimit | undefined;
  /** Value of the `Server` header. */
  private readonly container: string;
  private readonly endings: (() => void)[] = [];
  private readonly queue = new RequestQueue();
  /** Newest response of each connection. */
  private readonly newest = new WeakMap<Socket, ServerResponse>();
  /** The response that must be sent before each response (pipelining). */
  private readonly ahead = new WeakMap<ServerResponse, ServerResponse>();
  /** Responses to requests whose body has not arrived completely. */
  private readonly awaited = new WeakSet<ServerResponse>();

  constructor(options: HttpServerOptions) {
    const { connectionsMax, sources = LOCAL_SOURCES, jetty } = options;
    const { requestTimeoutMs = REQUEST_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
    this.options = options;
    this.budgets = options.budgets ?? options.gate?.budgets ?? createMemoryBudgets();
    this.container = `Jetty(${jetty.version})`;
    this.answers = new RateLimitedHandler(options);
    this.cors = sources.servesPages ? new Cors(sources) : undefined;
    this.server = createServer(
      {
        requestTimeout: requestTimeoutMs,
        headersTimeout: Math.min(idleTimeoutMs, requestTimeoutMs),
        // Interval at which Node checks for requests that exceed their timeout.
        connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
        maxHeaderSize: HEADER_BYTES_MAX,
        keepAliveTimeout: Math.max(idleTimeoutMs - KEPT_LONGER_MS, 1),
        requireHostHeader: false,
      },
      (request, response) => this.enqueue(request, response),
    );
    this.server.on('checkContinue', (request, response) => this.enqueue(request, response, true));
    this.server.on('checkExpectation', (request, response) => this.enqueue(request, response));
    this.server.on('connect', (_request: IncomingMessage, socket: Socket) => this.refuse(socket, { status: 501 }));
    this.server.setTimeout(idleTimeoutMs, (socket) => {
      // The client has accepted no byte of the pending answer within this time.
      if (socket.writableLength > 0) socket.destroy();
      else this.idle(socket);
    });
    this.server.on('clientError', (error: ParserError, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.idle(socket as Socket);
      else this.refuse(socket as Socket, parserRefusal(error));
    });
    const idleSince = (socket: Socket): number | 'busy' | undefined => this.queue.idleSince(socket);
    if (connectionsMax > 0)
      this.limit = new ConnectionLimit(this.server, { connectionsMax, waitingMax: WAITING_MAX, idleSince });
  }

  /** @throws if the port cannot be opened */
  listen(address: { readonly port: number; readonly host: string }): Promise<void> {
    const { server } = this;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(address, () => {
        server.off('error', reject);
        resolve();
      });
    });
  }

  /** Answers a request that did not arrive over a connection of this server. */
  inject(request: InjectOptions | string): Promise<InjectedResponse> {
    return inject((received, response) => this.receive(received, response), request);
  }

  /** Adds a listener that is called before the server closes its connections. */
  beforeClose(listener: () => void): void {
    this.endings.push(listener);
  }

  /** Stops counting a connection that changed to another protocol. */
  release(socket: Socket): void {
    this.limit?.release(socket);
  }

  /** Closes all connections and stops the server. */
  async close(): Promise<void> {
    for (const end of this.endings.splice(0)) end();
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** Handles a request after the earlier requests of its connection. @param isExpecting `Expect: 100-continue` */
  private enqueue(request: IncomingMessage, response: ServerResponse, isExpecting = false): void {
    const before = this.newest.get(request.socket);
    if (before?.writableFinished === false) this.ahead.set(response, before);
    this.newest.set(request.socket, response);
    this.queue.add(request, response, () => {
      if (isExpecting) this.receiveExpecting(request, response);
      else this.receive(request, response);
    });
  }

  /** Handles a request. Catches all errors of this program, so that the server keeps running. */
  private receive(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.take(request, response);
    } catch (error) {
      this.fail(request, response, error);
    }
  }

  /** Handles `Expect: 100-continue`: sends 100 if a handler reads the body, else closes the connection. */
  private receiveExpecting(request: IncomingMessage, response: ServerResponse): void {
    const isRead = methodOf(request) === 'POST' && this.isRead(request);
    if (headRefusal(request) !== undefined || this.isTooLong(request)) this.receive(request, response);
    else if (isRead) {
      if (hasBody(request)) {
        // If the body has arrived with the headers, the client does not need status 100.
        setImmediate(() => {
          if (!request.complete && !response.headersSent) response.writeContinue();
        });
      } else response.writeContinue();
      this.receive(request, response);
    } else {
      response.shouldKeepAlive = false;
      this.answer(request, response, undefined);
    }
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const refusal = headRefusal(request);
    if (refusal !== undefined) {
      this.send(response, refusal);
      return;
    }
    if (this.cors?.answer(request, response) === true) return;
    if (this.isTooLong(request)) this.sendTooLarge(response);
    else if (BODILESS.has(methodOf(request)) || !hasBody(request)) this.answer(request, response, undefined);
    else {
      this.awaited.add(response);
      if (!this.isRead(request)) setImmediate(() => this.giveUp(response));
      readBody(response, {
        limit: this.options.messageBytesMax,
        budget: this.budgets.requests,
        done: (body) => this.bodyCame(response, body),
        dropped: (reason) => this.dropBody(response, reason),
      });
    }
  }

  /** Refuses a request whose body the budget has dropped, and closes the connection. */
  private dropBody(response: ServerResponse, reason: DropReason): void {
    if (!this.awaited.delete(response)) return;
    if (reason === 'full') this.sendTooLarge(response);
    else {
      response.shouldKeepAlive = false;
      this.send(response, shortPage(408, 'Request Timeout'));
    }
  }

  private bodyCame(response: ServerResponse, body: RequestBody): void {
    if (this.awaited.delete(response)) this.answer(response.req, response, body);
  }

  /**
   * Handles an idle connection or a request that takes too long. Closes a connection without an open request. If the
   * body of a request does not arrive, answers as the handler does when reading fails. Reference: Jetty's
   * HttpConnection, HttpInput.
   */
  private idle(socket: Socket): void {
    const response = this.newest.get(socket);
    if (response === undefined || response.writableFinished) socket.destroySoon();
    else this.giveUp(response);
  }

  /** Answers a request whose body has not arrived, and closes the connection. */
  private giveUp(response: ServerResponse): void {
    if (!this.awaited.has(response)) return;
    response.shouldKeepAlive = false;
    this.bodyCame(response, LATE_BODY);
  }

  /** Returns true if a handler reads the body of the request. */
  private isRead(request: IncomingMessage): boolean {
    const { url: target = '' } = request;
    return this.options.dispatcher.componentOf({ method: methodOf(request), target }) !== undefined;
  }

  /** Returns true if the Content-Length exceeds `node.http.maxMessageSize`. */
  private isTooLong(request: IncomingMessage): boolean {
    return contentLengthOf(request) > (this.options.messageBytesMax ?? Number.POSITIVE_INFINITY);
  }

  private answer(request: IncomingMessage, response: ServerResponse, body: RequestBody | undefined): void {
    const failed = (error: unknown): void => this.fail(request, response, error);
    if (body?.isTooLarge === true) {
      this.sendTooLarge(response);
      return;
    }
    try {
      const answer = this.answers.answer(incomingOf(request, body), request.socket.remoteAddress ?? '');
      if (answer instanceof Promise) answer.then((later) => this.send(response, later)).catch(failed);
      else this.send(response, answer);
    } catch (error) {
      failed(error);
    }
  }

  private send(response: ServerResponse, answer: HttpAnswer): void {
    send(response, this.container, answer, this.budgets.answers);
  }

  /** Refuses a body larger than `node.http.maxMessageSize`. Does not read the rest of it. */
  private sendTooLarge(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    const isTold = hasPages(methodOf(response.req));
    this.send(response, isTold ? shortPage(413, 'Payload Too Large') : { status: 413 });
  }

  /** Refuses invalid bytes after the pending responses of the connection, and closes the connection. */
  private refuse(socket: Socket, answer: HttpAnswer): void {
    const newest = this.newest.get(socket);
    // The headers were already refused, but Node still parses the transfer coding of the body.
    if (newest?.req.complete === false && headRefusal(newest.req) !== undefined) return;
    // If the newest request is incomplete, the invalid bytes belong to it.
    const before = newest?.req.complete === false ? this.ahead.get(newest) : newest;
    if (before === undefined || before.writableFinished) this.sendRaw(socket, answer);
    else before.once('finish', () => this.sendRaw(socket, answer));
  }

  private sendRaw(socket: Socket, answer: HttpAnswer): void {
    if (!socket.writable) return;
    const { status, reason = STATUS_CODES[status], body = '' } = answer;
    const headers = { ...headersOf(answer, Buffer.byteLength(body), this.container), connection: 'close' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
  }

  private fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.options.log.error({ err: error, path: request.url }, 'request failed');
    if (response.headersSent) response.destroy();
    else this.send(response, { status: 200, type: JSON_TYPE });
  }
}

/** Returns the method. Node sets it on every request that a server receives. */
function methodOf({ method = '' }: IncomingMessage): string {
  return method;
}

function incomingOf(request: IncomingMessage, body: RequestBody | undefined): IncomingRequest {
  const { url = '', httpVersion, rawHeaders, headers } = request;
  return {
    method: methodOf(request),
    target: url,
    version: httpVersion,
    rawHeaders,
    type: headers['content-type'] ?? '',
    body: body === undefined ? NO_BYTES : body.bytes,
    ...(body?.isLate === true && { isLate: true }),
  };
}

const NO_BYTES = new Uint8Array(0);
