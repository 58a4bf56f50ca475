import { WebSocketServer } from 'ws';
import { resolveTarget } from '../../http/request-path.js';
import { answerRequest } from '../envelope.js';
import { PlainUpgrades } from './plain-upgrades.js';
/** What waits for one client; a block of events is far smaller. */
const PATIENCE = { waitingBytesMax: 8 * 1024 * 1024, giveUpMs: 10_000 };
/** Connections of a port, beside those of `node.maxHttpConnectNumber`: 128 subscriptions each are 128,000. */
const CLIENTS_MAX = 1_000;
const FULL = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
/** Keeps connections alive through proxies, and finds those whose other end is gone. */
const PING_MS = 20_000;
const PATHS = new Set(['/jsonrpc', '/']);
const LIMITED = '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"lack of computing resources","data":"{}"}}';
/** Close codes: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const GOING_AWAY = 1001;
const POLICY = 1008;
const FAILED = 1011;
/** JSON-RPC over WebSocket on the port of an HTTP server. */
export class WebSockets {
    server;
    options;
    acceptor;
    clients = new Set();
    pinging;
    constructor(server, options) {
        this.options = options;
        this.acceptor = new WebSocketServer({ noServer: true, maxPayload: options.messageBytesMax, clientTracking: false });
        const plain = new PlainUpgrades(server.server);
        this.server = server;
        server.server.on('upgrade', (request, socket, head) => {
            if (!isWanted(request))
                plain.answer(request, socket, head);
            else if (this.clients.size >= CLIENTS_MAX)
                socket.end(FULL);
            else
                this.accept(request, socket, head);
        });
        this.pinging = setInterval(() => {
            for (const client of this.clients)
                client.ping();
        }, PING_MS);
    }
    /** Ends all connections. */
    close() {
        clearInterval(this.pinging);
        for (const client of this.clients)
            client.end(GOING_AWAY, 'the node ends', 0);
        this.acceptor.close();
    }
    accept(request, socket, head) {
        this.acceptor.handleUpgrade(request, socket, head, (accepted) => {
            this.server.release(request.socket);
            this.serve(accepted, addressOf(request));
        });
    }
    serve(socket, address) {
        const client = new Client(socket, this.options.patience ?? PATIENCE);
        const { methods, form, subscriptions, admit } = this.options;
        const all = new Map([...methods, ...subscriptions.methodsFor(client)]);
        this.clients.add(client);
        socket.on('message', (message) => {
            client
                .answer((text) => answerRequest(all, text, form), String(message), admit?.(address))
                .catch(() => client.end(FAILED, 'internal error', 0));
        });
        // What is wrong with a frame is said in the close frame.
        socket.on('error', () => undefined);
        socket.on('close', () => {
            this.clients.delete(client);
            client.isOver = true;
            subscriptions.drop(client);
        });
    }
}
/** One connection. */
class Client {
    isOver = false;
    socket;
    patience;
    isAlive = true;
    constructor(socket, patience) {
        this.socket = socket;
        this.patience = patience;
        socket.on('pong', () => {
            this.isAlive = true;
        });
    }
    async answer(answerTo, request, admission) {
        const entry = await admission;
        try {
            if (this.isOver)
                return;
            const text = entry?.isAdmitted === false ? LIMITED : await answerTo(request);
            if (text !== '')
                this.send(text.trimEnd());
        }
        finally {
            if (entry?.isAdmitted === true)
                entry.leave();
        }
    }
    send(text) {
        if (this.isOver)
            return;
        this.socket.send(text);
        const { bufferedAmount } = this.socket;
        const { waitingBytesMax, giveUpMs } = this.patience;
        if (bufferedAmount > waitingBytesMax) {
            this.end(POLICY, `too slow: ${bufferedAmount} bytes wait to be read, ${waitingBytesMax} may`, giveUpMs);
        }
    }
    ping() {
        if (!this.isAlive) {
            this.socket.terminate();
            return;
        }
        this.isAlive = false;
        this.socket.ping();
    }
    /** Says why, and waits some time for the other end to hear it. */
    end(code, reason, waitMs) {
        this.isOver = true;
        this.socket.close(code, reason);
        if (waitMs === 0)
            setImmediate(() => this.socket.terminate());
        else
            setTimeout(() => this.socket.terminate(), waitMs).unref();
    }
}
function addressOf({ socket }) {
    return socket.remoteAddress ?? '';
}
function isWanted({ method, url, headers }) {
    return (method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && PATHS.has(resolveTarget(url ?? '')?.path));
}
//# sourceMappingURL=web-sockets.js.map