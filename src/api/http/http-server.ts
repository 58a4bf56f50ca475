import { createServer, type IncomingMessage, METHODS, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Entry } from '../admission/admission.js';
import type { ApiGate } from '../api-gate.js';
import { limitConnections } from './connection-limit.js';
import { addCors } from './cors.js';
import type { IncomingRequest } from './dispatch.js';
import { badMessage, errorPage, type HttpAnswer, JSON_TYPE } from './error-pages.js';

export interface HttpServerOptions {
  readonly dispatcher: HttpDispatcher;
  /** `node.maxHttpConnectNumber`; 0 or less: no limit. */
  readonly connectionsMax: number;
  /** `node.http.maxMessageSize`: larger bodies get status 413; undefined: the rules of release 4.7.2. */
  readonly messageBytesMax?: number | undefined;
  /** Origins of pages that may read answers; none unless named. */
  readonly cors?: readonly string[];
  /** Rates and counters; undefined: none. */
  readonly gate?: ApiGate | undefined;
  /** Whether responses are counted, as those of the full node's servers are. */
  readonly countsResponses?: boolean;
  /** A request may take this long to arrive, ms. */
  readonly requestTimeoutMs?: number;
  readonly log: Logger;
}

/** What decides the answer to a request that was read. */
export interface HttpDispatcher {
  /** Name of the handler that a request comes to, by which it is limited; undefined where none is asked. */
  componentOf(request: Pick<IncomingRequest, 'method' | 'target'>): string | undefined;
  /** @throws an error of this program */
  answer(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer>;
}

/** Half a body may not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Jetty's idle time, ms. */
const IDLE_TIMEOUT_MS = 30_000;
/** Jetty's limit of a request's head. */
const HEADER_BYTES_MAX = 8192;
/** More of a body is not kept where a handler does not look at its size. */
const UNCHECKED_BYTES_MAX = 16 * 1024 * 1024;
/** Connections that wait for one of the served to end. */
const WAITING_MAX = 1024;

/** An HTTP server that behaves like the reference's container; the caller makes it listen. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { connectionsMax, log, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const answers = new Answers(options);
  const app = fastify({
    serverFactory: (handler) => {
      const made = createServer(
        {
          requestTimeout: requestTimeoutMs,
          headersTimeout: Math.min(IDLE_TIMEOUT_MS, requestTimeoutMs),
          // Node looks for requests that take too long at this pace.
          connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
          maxHeaderSize: HEADER_BYTES_MAX,
        },
        handler,
      );
      made.keepAliveTimeout = IDLE_TIMEOUT_MS;
      made.on('connect', (_request: IncomingMessage, socket: Socket) => answerRaw(socket, { status: 501 }));
      if (connectionsMax > 0) limitConnections(made, { connectionsMax, waitingMax: WAITING_MAX });
      return made;
    },
    // Every path and method leads to one handler: what is served is decided by the reference's rules, not by Fastify's.
    rewriteUrl: () => '/',
    bodyLimit: Number.MAX_SAFE_INTEGER,
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => answerRaw(socket as Socket, answerOfParser(error.code)),
  });
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const { headers } = request;
    const length = Number(headers['content-length'] ?? Number.NaN);
    if (length <= UNCHECKED_BYTES_MAX && headers['transfer-encoding'] === undefined) return readShort(payload, done);
    readBody(payload, options.messageBytesMax).then(
      (body) => done(null, body),
      (error) => done(error as Error),
    );
  });
  addCors(app, options.cors ?? []);
  app.route({
    method: [...new Set([...app.supportedMethods, ...METHODS])].filter((method) => method !== 'CONNECT'),
    url: '/',
    onRequest: (request, reply, done) => {
      const length = Number(request.headers['content-length'] ?? 0);
      if (options.messageBytesMax === undefined || length <= options.messageBytesMax) return done();
      send(reply, tooLarge(request), request.method);
    },
    handler: (request, reply) => {
      const body = request.body as Body | undefined;
      if (body?.isTooLarge === true) return send(reply, tooLarge(request), request.method);
      const answer = answers.answer(request, body);
      if (answer instanceof Promise) return answer.then((later) => send(reply, later, request.method));
      return send(reply, answer, request.method);
    },
  });
  app.setErrorHandler((error, request, reply) => {
    log.error({ err: error, path: request.originalUrl }, 'request failed');
    send(reply, { status: 200, type: 'application/json;charset=utf-8' }, request.method);
  });
  return app;
}

interface Body {
  /** Undefined above what is kept. */
  readonly bytes: Uint8Array | undefined;
  /** Above the configured limit: to be refused. */
  readonly isTooLarge: boolean;
}

/** Reads a body whose length its head tells: it cannot be above a limit any more, and needs no iterator. */
function readShort(payload: IncomingMessage, done: (error: Error | null, body?: Body) => void): void {
  const chunks: Buffer[] = [];
  payload.on('data', (chunk: Buffer) => chunks.push(chunk));
  payload.on('end', () => done(null, { bytes: joined(chunks), isTooLarge: false }));
  payload.on('error', (error) => done(error));
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

async function readBody(payload: AsyncIterable<Buffer>, limit: number | undefined): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload) {
    size += chunk.length;
    if (limit !== undefined && size > limit) return { bytes: undefined, isTooLarge: true };
    if (size > UNCHECKED_BYTES_MAX) chunks.length = 0;
    else chunks.push(chunk);
  }
  return { bytes: size > UNCHECKED_BYTES_MAX ? undefined : joined(chunks), isTooLarge: false };
}

/** Answers requests of one server: lets them in by their rates, counts them, keeps failures from the callers. */
class Answers {
  private readonly options: HttpServerOptions;

  constructor(options: HttpServerOptions) {
    this.options = options;
  }

  answer(request: FastifyRequest, body: Body | undefined): HttpAnswer | Promise<HttpAnswer> {
    const { dispatcher, gate } = this.options;
    const incoming = incomingOf(request, body);
    const component = gate === undefined ? undefined : dispatcher.componentOf(incoming);
    if (gate === undefined || component === undefined) return this.counted(incoming, this.run(incoming));
    const entry = gate.admission.enter('http', component, request.raw.socket.remoteAddress ?? '');
    if (entry instanceof Promise) return entry.then((given) => this.serve(incoming, given, gate));
    return this.serve(incoming, entry, gate);
  }

  private serve(request: IncomingRequest, entry: Entry, { metrics }: ApiGate): HttpAnswer | Promise<HttpAnswer> {
    if (!entry.isAdmitted) return this.counted(request, LIMITED);
    const started = performance.now();
    const end = (answer: HttpAnswer): HttpAnswer => {
      entry.leave();
      metrics.servletDone(pathOf(request), (performance.now() - started) / 1000);
      return this.counted(request, answer) as HttpAnswer;
    };
    const answer = this.run(request);
    return answer instanceof Promise ? answer.then(end) : end(answer);
  }

  private counted(
    request: IncomingRequest,
    answer: HttpAnswer | Promise<HttpAnswer>,
  ): HttpAnswer | Promise<HttpAnswer> {
    const { gate, countsResponses } = this.options;
    if (gate === undefined || countsResponses !== true) return answer;
    if (answer instanceof Promise) return answer.then((later) => this.counted(request, later));
    gate.metrics.responseSent(pathOf(request), answer.status, Buffer.byteLength(answer.body ?? ''));
    return answer;
  }

  /** Never throws. The reference answers 200 with an empty body when an exception escapes a handler. */
  private run(request: IncomingRequest): HttpAnswer | Promise<HttpAnswer> {
    const { dispatcher, log } = this.options;
    const failed = (error: unknown): HttpAnswer => {
      log.error({ err: error, path: request.target }, 'request failed');
      return { status: 200, type: JSON_TYPE };
    };
    try {
      const answer = dispatcher.answer(request);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }
}

/** Answer to a call that its limit turned away. Reference: RateLimiterServlet.service. */
const LIMITED: HttpAnswer = {
  status: 200,
  type: JSON_TYPE,
  body: '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}\n',
};

function incomingOf({ method, originalUrl, raw, headers }: FastifyRequest, body: Body | undefined): IncomingRequest {
  return {
    method,
    target: originalUrl,
    version: raw.httpVersion,
    rawHeaders: raw.rawHeaders,
    isForm: (headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded'),
    body: body === undefined ? NO_BYTES : body.bytes,
  };
}

/** The path as it was sent, without the query. */
function pathOf({ target }: IncomingRequest): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

const NO_BYTES = new Uint8Array(0);

/**
 * Writes an answer past Fastify, which would name a type of its own for a body that has none, and copy a text that Node can put
 * behind its head in one write.
 */
function send(
  reply: FastifyReply,
  { status, type, allow, location, close, body = '' }: HttpAnswer,
  method: string,
): void {
  const text = method === 'HEAD' ? '' : body;
  const length = Buffer.byteLength(text);
  // What was said of other origins comes first.
  const headers: OutgoingHttpHeaders = { ...(reply.getHeaders() as OutgoingHttpHeaders) };
  if (type !== undefined) headers['content-type'] = type;
  if (allow !== undefined) headers.allow = allow;
  if (location !== undefined) headers.location = location;
  if (close === true) headers.connection = 'close';
  headers['content-length'] = length;
  reply.hijack();
  reply.raw.writeHead(status, headers);
  // As many bytes as characters: ASCII, whose shortest way out is Latin-1.
  reply.raw.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Larger than `node.http.maxMessageSize`; the rest is not read. */
function tooLarge(request: FastifyRequest): HttpAnswer {
  return { ...errorPage(413, 'Payload Too Large', request.originalUrl, undefined), close: true };
}

/** What Node's parser refuses before anything else sees it. */
function answerOfParser(code: string | undefined): HttpAnswer {
  if (code === 'HPE_INVALID_METHOD') return { status: 501 };
  if (code === 'HPE_HEADER_OVERFLOW') return badMessage(431, 'Request Header Fields Too Large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return badMessage(408, 'Request Timeout');
  return badMessage(400, 'Bad Request');
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
};

function answerRaw(socket: Socket, { status, type, body = '' }: HttpAnswer): void {
  if (!socket.writable) return;
  const lines = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
