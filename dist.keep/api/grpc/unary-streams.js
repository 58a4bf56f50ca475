import { refusal, Status } from './answer-call.js';
/** A flag for compression and four bytes of length stand before each message. */
const PREFIX_BYTES = 5;
/** A request must arrive within this time, ms: half of one may not hold its place for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Requests that take too long are looked for at this pace, ms. */
const LOOK_MS = 5_000;
const TIMER_MAX = 2 ** 31 - 1;
const HEAD = {
    ':status': 200,
    'content-type': 'application/grpc',
    'grpc-accept-encoding': 'identity,deflate,gzip',
    'grpc-encoding': 'identity',
};
const WITH_TRAILERS = { waitForTrailers: true };
const GOOD = { 'grpc-status': '0' };
const REFUSED = { ':status': 200, 'content-type': 'application/grpc' };
/** Code of HTTP/2 with which the reference drops a call that breaks off inside a message. */
const CANCEL = 8;
const TIMEOUT = /(\d{1,8})\s*([HMSmun])/;
const UNIT_MS = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };
/**
 * Answers unary calls straight on HTTP/2: of the time that the library takes for one, half goes into calls, metadata and queues
 * that no method here needs. What it answers is what the reference's library answers; calls with anything unusual about them are left to it.
 */
export class UnaryStreams {
    options;
    /** Requests that are not complete, with the ms when they began. */
    arriving = new Map();
    timer;
    constructor(options) {
        this.options = options;
        this.timer = setInterval(() => this.dropLate(), LOOK_MS);
        this.timer.unref();
    }
    close() {
        clearInterval(this.timer);
    }
    /** Whether a request is one of these: not compressed, its headers as they should be. */
    isPlain(headers) {
        const encoding = headers['grpc-encoding'];
        const timeout = headers['grpc-timeout'];
        return (headers['content-type']?.startsWith('application/grpc') === true &&
            (encoding === undefined || encoding === 'identity') &&
            (timeout === undefined || TIMEOUT.test(String(timeout))));
    }
    /** @param path `/<service>/<method>` */
    serve(stream, path, headers) {
        const request = new ArrivingMessage(this.options.messageBytesMax);
        const finished = () => void this.arriving.delete(stream);
        this.arriving.set(stream, performance.now());
        // A peer that breaks off has no use for an answer.
        stream.on('error', () => undefined);
        stream.on('close', finished);
        stream.on('data', (chunk) => {
            request.add(chunk);
            const excess = request.excess();
            if (excess === undefined)
                return;
            finished();
            refuse(stream, excess);
        });
        stream.on('end', () => {
            finished();
            if (stream.headersSent)
                return;
            if (request.isWhole)
                this.answer(stream, path.slice(1), request.message, headers['grpc-timeout']);
            else if (request.isEmpty)
                refuse(stream, NO_MESSAGE);
            else
                stream.close(CANCEL);
        });
    }
    answer(stream, name, request, timeout) {
        const answer = this.options.answers.answer(name, request, addressOf(stream.session));
        if (!(answer instanceof Promise)) {
            this.send(stream, name, answer);
            return;
        }
        const timer = timeout === undefined ? undefined : setTimeout(() => refuse(stream, TOO_LATE), timeoutMs(String(timeout)));
        void answer.then((later) => {
            clearTimeout(timer);
            this.send(stream, name, later);
        });
    }
    send(stream, name, reply) {
        const { status, details, bytes } = reply;
        if (status !== Status.OK) {
            this.options.log.debug({ method: name, status, details }, 'grpc refusal');
            refuse(stream, reply);
            return;
        }
        if (isOver(stream))
            return;
        const frame = Buffer.allocUnsafe(PREFIX_BYTES + bytes.length);
        frame[0] = 0;
        frame.writeUInt32BE(bytes.length, 1);
        frame.set(bytes, PREFIX_BYTES);
        stream.respond(HEAD, WITH_TRAILERS);
        stream.on('wantTrailers', () => stream.sendTrailers(GOOD));
        stream.end(frame);
    }
    dropLate() {
        const oldest = performance.now() - REQUEST_TIMEOUT_MS;
        for (const [stream, started] of this.arriving) {
            // In the order of their beginning.
            if (started > oldest)
                return;
            stream.destroy();
        }
    }
}
/** The bytes of a request as they come: exactly one message. */
class ArrivingMessage {
    bytesMax;
    chunks = [];
    size = 0;
    /** Bytes of message and prefix, once that is known. */
    whole;
    constructor(bytesMax) {
        this.bytesMax = bytesMax;
    }
    add(chunk) {
        this.size += chunk.length;
        if (this.whole !== undefined && this.size > this.whole)
            return;
        this.chunks.push(chunk);
        if (this.whole === undefined && this.size >= PREFIX_BYTES) {
            this.whole = PREFIX_BYTES + this.joined().readUInt32BE(1);
        }
    }
    /** The message without what stands before it. */
    get message() {
        return this.joined().subarray(PREFIX_BYTES);
    }
    /** Answer to a request that is too long, or goes on behind its message. */
    excess() {
        if (this.whole === undefined)
            return undefined;
        const length = this.whole - PREFIX_BYTES;
        if (length > this.bytesMax) {
            const text = `Received message larger than max (${length} vs ${this.bytesMax})`;
            return refusal(Status.RESOURCE_EXHAUSTED, text);
        }
        return this.size > this.whole ? SECOND_MESSAGE : undefined;
    }
    get isWhole() {
        return this.size === this.whole;
    }
    get isEmpty() {
        return this.size === 0;
    }
    joined() {
        if (this.chunks.length > 1)
            this.chunks.splice(0, this.chunks.length, Buffer.concat(this.chunks));
        return this.chunks[0];
    }
}
const NO_MESSAGE = refusal(Status.INTERNAL, 'Half-closed without a request');
const SECOND_MESSAGE = refusal(Status.INTERNAL, 'Too many requests');
const TOO_LATE = refusal(Status.DEADLINE_EXCEEDED, 'Deadline exceeded');
/** Answers with a status alone. */
function refuse(stream, { status, details }) {
    if (isOver(stream))
        return;
    const text = details === '' ? undefined : { 'grpc-message': headerText(details) };
    stream.respond({ ...REFUSED, 'grpc-status': status, ...text }, { endStream: true });
    stream.resume();
}
/** What a header cannot hold is written as its bytes. */
function headerText(details) {
    return details.replace(/[^ -$&-}]+/gu, (odd) => Buffer.from(odd).toString('hex').toUpperCase().replace(/../g, '%$&'));
}
function isOver(stream) {
    return stream.destroyed || stream.closed || stream.headersSent;
}
function timeoutMs(text) {
    const [, count, unit = ''] = TIMEOUT.exec(text);
    return Math.min(TIMER_MAX, Number(count) * UNIT_MS[unit]);
}
const addresses = new WeakMap();
/** Looked up once: behind a session's socket stands a proxy that is slow to ask. */
function addressOf(session) {
    const known = addresses.get(session);
    if (known !== undefined)
        return known;
    const address = session.socket.remoteAddress ?? '';
    addresses.set(session, address);
    return address;
}
//# sourceMappingURL=unary-streams.js.map