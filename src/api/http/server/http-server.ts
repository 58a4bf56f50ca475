import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Response as InjectedResponse, type InjectOptions, inject } from 'light-my-request';
import type { ApiRelease } from '../../releases/api-release.js';
import { type HttpAnswer, hasPages, JSON_TYPE, shortPage } from '../error-pages.js';
import type { IncomingRequest } from '../incoming-request.js';
import { type LimitedConnections, limitConnections } from './connection-limit.js';
import { Cors } from './cors.js';
import { headRefusal } from './head-rules.js';
import { type ParserError, parserRefusal } from './parser-refusals.js';
import { type AnswersOptions, RateLimitedHandler } from './rate-limited-handler.js';
import { contentLengthOf, hasBody, LATE_BODY, type RequestBody, readBody } from './request-body.js';
import { headersOf, send } from './send-answer.js';

export interface HttpServerOptions extends AnswersOptions {
  /** The container that the server behaves like. */
  readonly jetty: ApiRelease['jetty'];
  /** `node.maxHttpConnectNumber`; 0 or less: no limit. */
  readonly connectionsMax: number;
  /** `node.http.maxMessageSize`: larger bodies get status 413; undefined: the rules of release 4.7.2. */
  readonly messageBytesMax?: number | undefined;
  /** Origins of pages that may read answers; none unless named. */
  readonly cors?: readonly string[];
  /** A request may take this long to arrive, ms. */
  readonly requestTimeoutMs?: number;
  /** A connection may be silent for this long, ms. */
  readonly idleTimeoutMs?: number;
}

/** Half a body may not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Jetty's idle time, ms. */
const IDLE_TIMEOUT_MS = 30_000;
/** By so much longer than it is told Node keeps a connection whose request was answered. */
const KEPT_LONGER_MS = 1_000;
/** Jetty's limit of a request's head. */
const HEADER_BYTES_MAX = 8192;
/** Methods whose bodies nobody reads. */
const BODILESS = new Set(['GET', 'HEAD', 'TRACE']);
/** Connections that wait for one of the served to end. */
const WAITING_MAX = 1024;

/** An HTTP server that behaves like the reference's container; the caller makes it listen. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  return new HttpServer(options);
}

/**
 * Every path and method leads to one handler: what is served is decided by the reference's rules. So it stands on
 * Node's server itself: a framework's hooks and routes would decide nothing here, and take a third of a short answer's
 * time.
 */
export class HttpServer {
  readonly server: Server;
  private readonly options: HttpServerOptions;
  private readonly answers: RateLimitedHandler;
  private readonly cors: Cors | undefined;
  private readonly limit: LimitedConnections | undefined;
  /** What `Server` says. */
  private readonly container: string;
  private readonly endings: (() => void)[] = [];
  /** The newest response of each connection. */
  private readonly newest = new WeakMap<Socket, ServerResponse>();
  /** What is still to be sent before a response. */
  private readonly ahead = new WeakMap<ServerResponse, ServerResponse>();
  /** Responses whose request has a body that is still to come. */
  private readonly awaited = new WeakSet<ServerResponse>();

  constructor(options: HttpServerOptions) {
    const { connectionsMax, cors = [], jetty } = options;
    const { requestTimeoutMs = REQUEST_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
    this.options = options;
    this.container = `Jetty(${jetty.version})`;
    this.answers = new RateLimitedHandler(options);
    this.cors = cors.length === 0 ? undefined : new Cors(cors);
    this.server = createServer(
      {
        requestTimeout: requestTimeoutMs,
        headersTimeout: Math.min(idleTimeoutMs, requestTimeoutMs),
        // Node looks for requests that take too long at this pace.
        connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
        maxHeaderSize: HEADER_BYTES_MAX,
        keepAliveTimeout: Math.max(idleTimeoutMs - KEPT_LONGER_MS, 1),
        requireHostHeader: false,
      },
      (request, response) => this.receive(request, response),
    );
    this.server.on('checkContinue', (request, response) => this.receiveExpecting(request, response));
    this.server.on('checkExpectation', (request, response) => this.receive(request, response));
    this.server.on('connect', (_request: IncomingMessage, socket: Socket) => this.refuse(socket, { status: 501 }));
    this.server.setTimeout(idleTimeoutMs, (socket) => this.idle(socket));
    this.server.on('clientError', (error: ParserError, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.idle(socket as Socket);
      else this.refuse(socket as Socket, parserRefusal(error));
    });
    if (connectionsMax > 0) this.limit = limitConnections(this.server, { connectionsMax, waitingMax: WAITING_MAX });
  }

  /** @throws a port that cannot be had */
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

  /** Answers a request that came another way than over a connection. */
  inject(request: InjectOptions | string): Promise<InjectedResponse> {
    return inject((received, response) => this.receive(received, response), request);
  }

  /** Hears of the end before connections are closed. */
  beforeClose(listener: () => void): void {
    this.endings.push(listener);
  }

  /** A connection that was handed over to another protocol does not count among those of this server any more. */
  release(socket: Socket): void {
    this.limit?.release(socket);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const end of this.endings.splice(0)) end();
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  /** An error of this program must not end the server. */
  private receive(request: IncomingMessage, response: ServerResponse): void {
    const before = this.newest.get(request.socket);
    if (before?.writableFinished === false) this.ahead.set(response, before);
    this.newest.set(request.socket, response);
    try {
      this.take(request, response);
    } catch (error) {
      this.fail(request, response, error);
    }
  }

  /** A client that waits with its body is told to go on where a handler reads it; without one the connection ends. */
  private receiveExpecting(request: IncomingMessage, response: ServerResponse): void {
    const isRead = methodOf(request) === 'POST' && this.isRead(request);
    if (headRefusal(request) !== undefined || this.isTooLong(request)) this.receive(request, response);
    else if (isRead) {
      if (hasBody(request)) {
        // Where it has come with the head, nobody waits.
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
      readBody(request, this.options.messageBytesMax, (body) => this.bodyCame(response, body));
    }
  }

  private bodyCame(response: ServerResponse, body: RequestBody): void {
    if (this.awaited.delete(response)) this.answer(response.req, response, body);
  }

  /**
   * Nothing came over a connection for a while, or its request takes too long: without a request it ends, and a request
   * whose body does not come is answered as the handler answers whose reading ends so. Reference: Jetty's
   * HttpConnection, HttpInput.
   */
  private idle(socket: Socket): void {
    const response = this.newest.get(socket);
    if (response === undefined || response.writableFinished) socket.destroySoon();
    else this.giveUp(response);
  }

  /** Answers without the body that is still to come, and ends the connection. */
  private giveUp(response: ServerResponse): void {
    if (!this.awaited.has(response)) return;
    response.shouldKeepAlive = false;
    this.bodyCame(response, LATE_BODY);
  }

  /** Whether a handler reads the request's body. */
  private isRead(request: IncomingMessage): boolean {
    const { url: target = '' } = request;
    return this.options.dispatcher.componentOf({ method: methodOf(request), target }) !== undefined;
  }

  /** By what its head tells. */
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
    send(response, this.container, answer);
  }

  /** Larger than `node.http.maxMessageSize`; the rest is not read. */
  private sendTooLarge(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    const isTold = hasPages(methodOf(response.req));
    this.send(response, isTold ? shortPage(413, 'Payload Too Large') : { status: 413 });
  }

  /** Answers what is no request, behind what the connection is still to be sent, and ends the connection. */
  private refuse(socket: Socket, answer: HttpAnswer): void {
    const newest = this.newest.get(socket);
    // Node reads codings of a body behind the head, by which it is answered already.
    if (newest?.req.complete === false && headRefusal(newest.req) !== undefined) return;
    // One that is not complete is what is refused.
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

/** What a server receives has a method. */
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
