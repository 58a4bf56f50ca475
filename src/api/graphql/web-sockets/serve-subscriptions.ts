import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { ByteBudget } from '../../../primitives/byte-budget.js';
import type { RequestSources } from '../../http/server/request-sources.js';
import { CloseCode } from '../../http/web-sockets/close-code.js';
import { MessageMemory } from '../../http/web-sockets/message-memory.js';
import { PlainUpgrades } from '../../http/web-sockets/plain-upgrades.js';
import { SubscriptionConnection } from './subscription-connection.js';
import { subscriptionProtocols } from './subscription-protocol.js';

interface SubscriptionServerOptions
  extends Pick<ConstructorParameters<typeof SubscriptionConnection>[0], 'subscribe' | 'shownEvent' | 'shownErrors'> {
  /** Path of the WebSocket. */
  readonly path: string;
  /** Rules that select the origins of web pages that may open a connection. */
  readonly sources: RequestSources;
  /** Maximum size of a message, in bytes. */
  readonly messageBytesMax: number;
}

/** Ping interval, in ms. Proxies close idle connections after about one minute. */
const KEEP_ALIVE_MS = 20_000;
/** Maximum size of all unfinished messages and of the arguments of all subscriptions, in bytes. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
/** Time in ms without progress after which a connection with an unfinished message is closed. */
const PROGRESS_MS = 10_000;
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Serves subscriptions over WebSocket on the port of a server that does not listen yet. */
export function serveSubscriptions(app: FastifyInstance, options: SubscriptionServerOptions): void {
  const { path, sources, messageBytesMax } = options;
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    clientTracking: false,
    handleProtocols: (offered) => [...offered].find((name) => subscriptionProtocols.has(name)) ?? false,
  });
  const plain = new PlainUpgrades(app.server);
  const budget = new ByteBudget({ bytesMax: MESSAGE_BYTES_MAX, stallMs: PROGRESS_MS });
  const connections = new Set<SubscriptionConnection>();
  const pinging = setInterval(() => {
    for (const connection of connections) connection.keepAlive();
  }, KEEP_ALIVE_MS);
  app.addHook('preClose', async () => clearInterval(pinging));
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { url = '', headers } = request;
    const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === path;
    if (!isWebSocket) plain.answer(request, socket, head);
    else if (!sources.mayConnect(headers)) socket.end(FORBIDDEN);
    else upgrades.handleUpgrade(request, socket, head, (client) => connect(client, socket));
  });

  function connect(client: WebSocket, socket: Duplex): void {
    const protocol = subscriptionProtocols.get(client.protocol);
    if (protocol === undefined) {
      // The client offers no protocol of this server.
      client.on('error', () => undefined);
      client.close(CloseCode.PROTOCOL_ERROR);
      return;
    }
    const memory = new MessageMemory(socket, budget, (reason) => connection.drop(reason));
    const connection = new SubscriptionConnection({ ...options, socket: client, protocol, memory });
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
  }
}
