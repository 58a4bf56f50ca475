import { Server, ServerCredentials } from '@grpc/grpc-js';
import { TronError } from '../../log/domain/errors.js';
import { GatedAnswers } from './gated-answers.js';
import { addReflection } from './reflection.js';
import { grpcServices } from './services.js';
import { UnaryStreams } from './unary-streams.js';
/** The longest time that a timer can take, ms. */
const TIMER_MAX = 2 ** 31 - 1;
/** Calls at once on a connection, where the configuration sets no bound: a peer waits for a place by itself. */
const STREAMS_MAX = 10_000;
/** Connections of one port: each is memory before anybody has asked anything. */
const CONNECTIONS_MAX = 4_000;
/** A request must arrive within this time, ms: half of one may not hold its place for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
/** What HTTP/2 allows for a window. */
const WINDOW_MIN = 65_535;
const WINDOW_MAX = 2 ** 31 - 1;
/** One of the three gRPC servers. */
export class GrpcServer {
    server;
    limits;
    unary;
    /** Whether the library has a service for a path: reflection. */
    isRegistered;
    constructor({ server, call, disabled, limits, gate, pool, reflection = 'none', release, log }) {
        const services = grpcServices(server, { release, hasMonitor: gate?.hasMeters });
        const answers = new GatedAnswers({
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
            'grpc.max_connection_idle_ms': Math.min(limits.maxConnectionIdleInMillis, TIMER_MAX),
            'grpc.max_connection_age_ms': Math.min(limits.maxConnectionAgeInMillis, TIMER_MAX),
            // Nobody can ask for what it would count of every call.
            'grpc.enable_channelz': 0,
        });
        addReflection(this.server, Object.keys(services), reflection);
        const inside = insideOf(this.server);
        Object.assign(inside.commonServerOptions, {
            settings: {
                ...inside.commonServerOptions.settings,
                initialWindowSize: windowOf(limits),
                maxHeaderListSize: limits.maxHeaderListSize,
            },
        });
        const handle = (name) => (request, reply) => {
            const send = ({ status, details, bytes }) => {
                if (status !== 0)
                    log.debug({ method: name, status, details }, 'grpc refusal');
                if (status === 0)
                    reply(null, asBuffer(bytes));
                else
                    reply({ code: status, details, name, message: details });
            };
            const answer = answers.answer(name, request.request, addressOf(request.getPeer()));
            if (answer instanceof Promise)
                void answer.then(send);
            else
                send(answer);
        };
        this.unary = new UnaryStreams({ answers, messageBytesMax: limits.maxMessageSize, log });
        const registered = inside._retrieveHandler.bind(this.server);
        this.isRegistered = (path) => reflection !== 'none' && registered(path) !== null && registered(path) !== undefined;
        // The library answers unknown methods in words of its own; the reference's are these.
        Object.assign(this.server, {
            _retrieveHandler: (path) => registered(path) ?? {
                type: 'unary',
                path,
                func: handle(path.slice(1)),
                serialize: asItIs,
                deserialize: asItIs,
            },
        });
    }
    /** @throws {TronError} a port that cannot be had */
    listen(port) {
        return new Promise((resolve, reject) => {
            this.server.bindAsync(`0.0.0.0:${port}`, ServerCredentials.createInsecure(), (error, bound) => {
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
    async close() {
        this.unary.close();
        this.server.forceShutdown();
    }
    /** Nearly all calls go past the library. */
    takeUnary(listener) {
        const others = listener.listeners('stream');
        listener.removeAllListeners('stream');
        listener.on('stream', (stream, headers, flags) => {
            const path = String(headers[':path']);
            if (this.isRegistered(path) || !this.unary.isPlain(headers)) {
                limitStream(stream);
                for (const other of others)
                    other(stream, headers, flags);
                return;
            }
            insideOf(this.server).onStreamOpened(stream);
            this.unary.serve(stream, path, headers);
        });
    }
}
function limitListener(listener, limits) {
    listener.maxConnections = CONNECTIONS_MAX;
    listener.on('session', (session) => session.setLocalWindowSize(windowOf(limits)));
}
function limitStream(stream) {
    stream.setTimeout(REQUEST_TIMEOUT_MS, () => stream.destroy());
    // Whoever has asked may wait for the answer.
    stream.once('end', () => stream.setTimeout(0));
}
function windowOf({ flowControlWindow }) {
    return Math.min(WINDOW_MAX, Math.max(WINDOW_MIN, flowControlWindow));
}
function insideOf(server) {
    return server;
}
/** `1.2.3.4:5` and `[::1]:5` without the port. */
function addressOf(peer) {
    const colon = peer.lastIndexOf(':');
    return colon < 0 ? '' : peer.slice(0, colon);
}
/** The same memory: the bytes were made for this answer. */
function asBuffer({ buffer, byteOffset, byteLength }) {
    return Buffer.from(buffer, byteOffset, byteLength);
}
function asItIs(bytes) {
    return bytes;
}
//# sourceMappingURL=grpc-server.js.map