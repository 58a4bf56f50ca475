import { createServer } from 'node:http';
import { inject } from 'light-my-request';
import { limitConnections } from './connection-limit.js';
import { Cors } from './cors.js';
import { badMessage, JSON_TYPE } from './error-pages.js';
import { send } from './send-answer.js';
/** Half a body may not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Jetty's idle time, ms. */
const IDLE_TIMEOUT_MS = 30_000;
/** Jetty's limit of a request's head. */
const HEADER_BYTES_MAX = 8192;
/** More of a body is not kept where a handler does not look at its size. */
const UNCHECKED_BYTES_MAX = 16 * 1024 * 1024;
/** Methods whose bodies nobody reads. */
const BODILESS = new Set(['GET', 'HEAD', 'TRACE']);
/** Connections that wait for one of the served to end. */
const WAITING_MAX = 1024;
/** An HTTP server that behaves like the reference's container; the caller makes it listen. */
export function createHttpServer(options) {
    return new HttpServer(options);
}
/**
 * Every path and method leads to one handler: what is served is decided by the reference's rules. So it stands on Node's server
 * itself: a framework's hooks and routes would decide nothing here, and take a third of a short answer's time.
 */
export class HttpServer {
    server;
    options;
    answers;
    cors;
    limit;
    endings = [];
    constructor(options) {
        const { connectionsMax, cors = [], requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
        this.options = options;
        this.answers = new Answers(options);
        this.cors = cors.length === 0 ? undefined : new Cors(cors);
        this.server = createServer({
            requestTimeout: requestTimeoutMs,
            headersTimeout: Math.min(IDLE_TIMEOUT_MS, requestTimeoutMs),
            // Node looks for requests that take too long at this pace.
            connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
            maxHeaderSize: HEADER_BYTES_MAX,
            keepAliveTimeout: IDLE_TIMEOUT_MS,
        }, (request, response) => this.receive(request, response));
        this.server.on('connect', (_request, socket) => answerRaw(socket, { status: 501 }));
        this.server.on('clientError', (error, socket) => answerRaw(socket, answerOfParser(error.code)));
        if (connectionsMax > 0)
            this.limit = limitConnections(this.server, { connectionsMax, waitingMax: WAITING_MAX });
    }
    /** @throws a port that cannot be had */
    listen(address) {
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
    inject(request) {
        return inject((received, response) => this.receive(received, response), request);
    }
    /** Hears of the end before connections are closed. */
    beforeClose(listener) {
        this.endings.push(listener);
    }
    /** A connection that was handed over to another protocol does not count among those of this server any more. */
    release(socket) {
        this.limit?.release(socket);
    }
    /** Ends all connections. */
    async close() {
        for (const end of this.endings.splice(0))
            end();
        if (!this.server.listening)
            return;
        const closed = new Promise((resolve) => this.server.close(resolve));
        this.server.closeAllConnections();
        await closed;
    }
    /** An error of this program must not end the server. */
    receive(request, response) {
        try {
            this.take(request, response);
        }
        catch (error) {
            this.fail(request, response, error);
        }
    }
    take(request, response) {
        if (this.cors?.answer(request, response) === true)
            return;
        const { headers } = request;
        const { messageBytesMax } = this.options;
        const length = Number(headers['content-length'] ?? 0);
        const isChunked = headers['transfer-encoding'] !== undefined;
        const answer = (body) => this.answer(request, response, body);
        if (messageBytesMax !== undefined && length > messageBytesMax)
            send(response, request, tooLarge());
        else if (BODILESS.has(request.method) || (length === 0 && !isChunked))
            answer(undefined);
        else if (!isChunked && length <= UNCHECKED_BYTES_MAX)
            readShort(request, answer);
        // Half a body, and nobody there any more.
        else
            readBody(request, messageBytesMax).then(answer, () => request.destroy());
    }
    answer(request, response, body) {
        const failed = (error) => this.fail(request, response, error);
        try {
            const answer = body?.isTooLarge === true ? tooLarge() : this.answers.answer(request, body);
            if (answer instanceof Promise)
                answer.then((later) => send(response, request, later)).catch(failed);
            else
                send(response, request, answer);
        }
        catch (error) {
            failed(error);
        }
    }
    fail(request, response, error) {
        this.options.log.error({ err: error, path: request.url }, 'request failed');
        if (response.headersSent)
            response.destroy();
        else
            send(response, request, { status: 200, type: JSON_TYPE });
    }
}
/** Reads a body whose length its head tells: it cannot be above a limit any more, and needs no iterator. */
function readShort(payload, done) {
    const chunks = [];
    payload.on('data', (chunk) => chunks.push(chunk));
    payload.on('end', () => done({ bytes: joined(chunks), isTooLarge: false }));
    // A connection that ends within a body takes its request with it.
    payload.on('error', () => payload.destroy());
}
function joined(chunks) {
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}
async function readBody(payload, limit) {
    const chunks = [];
    let size = 0;
    for await (const chunk of payload) {
        size += chunk.length;
        if (limit !== undefined && size > limit)
            return { bytes: undefined, isTooLarge: true };
        if (size > UNCHECKED_BYTES_MAX)
            chunks.length = 0;
        else
            chunks.push(chunk);
    }
    return { bytes: size > UNCHECKED_BYTES_MAX ? undefined : joined(chunks), isTooLarge: false };
}
/** Answers requests of one server: lets them in by their rates, counts them, keeps failures from the callers. */
class Answers {
    options;
    constructor(options) {
        this.options = options;
    }
    answer(request, body) {
        const { dispatcher, gate } = this.options;
        const incoming = incomingOf(request, body);
        const component = gate === undefined ? undefined : dispatcher.componentOf(incoming);
        if (gate === undefined || component === undefined)
            return this.counted(incoming, this.run(incoming));
        const entry = gate.admission.enter('http', component, request.socket.remoteAddress ?? '');
        if (entry instanceof Promise)
            return entry.then((given) => this.serve(incoming, given, gate));
        return this.serve(incoming, entry, gate);
    }
    serve(request, entry, { metrics }) {
        if (!entry.isAdmitted)
            return this.counted(request, LIMITED);
        const started = performance.now();
        const end = (answer) => {
            entry.leave();
            metrics.servletDone(pathOf(request), (performance.now() - started) / 1000);
            return this.counted(request, answer);
        };
        const answer = this.run(request);
        return answer instanceof Promise ? answer.then(end) : end(answer);
    }
    counted(request, answer) {
        const { gate, countsResponses } = this.options;
        if (gate === undefined || countsResponses !== true)
            return answer;
        if (answer instanceof Promise)
            return answer.then((later) => this.counted(request, later));
        gate.metrics.responseSent(pathOf(request), answer.status, Buffer.byteLength(answer.body ?? ''));
        return answer;
    }
    /** Never throws. The reference answers 200 with an empty body when an exception escapes a handler. */
    run(request) {
        const { dispatcher, log } = this.options;
        const failed = (error) => {
            log.error({ err: error, path: request.target }, 'request failed');
            return { status: 200, type: JSON_TYPE };
        };
        try {
            const answer = dispatcher.answer(request);
            return answer instanceof Promise ? answer.catch(failed) : answer;
        }
        catch (error) {
            return failed(error);
        }
    }
}
/** Answer to a call that its limit turned away. Reference: RateLimiterServlet.service. */
export const LIMITED = {
    status: 200,
    type: JSON_TYPE,
    body: '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}\n',
};
function incomingOf(request, body) {
    const { method, url, httpVersion, rawHeaders, headers } = request;
    return {
        method: method,
        target: url,
        version: httpVersion,
        rawHeaders,
        type: headers['content-type'] ?? '',
        body: body === undefined ? NO_BYTES : body.bytes,
    };
}
/** The path as it was sent, without the query. */
function pathOf({ target }) {
    const end = target.search(/[?#]/);
    return end < 0 ? target : target.slice(0, end);
}
const NO_BYTES = new Uint8Array(0);
/** Larger than `node.http.maxMessageSize`; the rest is not read. */
function tooLarge() {
    return badMessage(413, 'Payload Too Large');
}
/** What Node's parser refuses before anything else sees it. */
function answerOfParser(code) {
    if (code === 'HPE_INVALID_METHOD')
        return { status: 501 };
    if (code === 'HPE_HEADER_OVERFLOW')
        return badMessage(431, 'Request Header Fields Too Large');
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
        return badMessage(408, 'Request Timeout');
    return badMessage(400, 'Bad Request');
}
const REASONS = {
    400: 'Bad Request',
    408: 'Request Timeout',
    431: 'Request Header Fields Too Large',
    501: 'Not Implemented',
};
function answerRaw(socket, { status, type, body = '' }) {
    if (!socket.writable)
        return;
    const lines = [
        `HTTP/1.1 ${status} ${REASONS[status]}`,
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
//# sourceMappingURL=http-server.js.map