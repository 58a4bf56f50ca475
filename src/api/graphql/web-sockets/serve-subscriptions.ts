import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ByteBudget, DropReason } from '../../../primitives/byte-budget.js';
import type { RequestSources } from '../../http/server/request-sources.js';
import { CloseCode } from '../../http/web-sockets/close-code.js';
import { MessageMemory } from '../../http/web-sockets/message-memory.js';
import { PingedSockets } from '../../http/web-sockets/pinged-sockets.js';
import { PlainUpgrades } from '../../http/web-sockets/plain-upgrades.js';
import { ReadPause } from '../../http/web-sockets/read-pause.js';
import { WriteBatches } from '../../http/web-sockets/write-batches.js';
import type { SubscriberContext } from '../resolvers/subscription-resolvers.js';
import type { SubscriptionServer } from './subscription-server.js';

interface ServeSubscriptionsOptions {
  /** Path of the WebSocket. */
  readonly path: string;
  /** Rules that select the origins of web pages that may open a connection. */
  readonly sources: RequestSources;
  /** Maximum size of a message, in bytes. */
  readonly messageBytesMax: number;
  /** Memory budget of unfinished messages and of the arguments of all subscriptions. */
  readonly budget: ByteBudget;
  readonly server: SubscriptionServer;
}

/** While a connection has more unsent bytes than this limit, the server reads no messages from it. */
const PAUSE = { unsentBytesMax: 64 * 1024 };
/**
 * Number of unsent bytes of a connection above which a stream waits before it reads its next event. Large enough for
 * the events of most blocks, and small enough for 4,000 connections that do not read (64 MB).
 */
const BATCH_BYTES = 16 * 1024;
const DONE = Promise.resolve();
const FORBIDDEN = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Serves subscriptions over WebSocket on the port of a server that does not listen yet. */
export function serveSubscriptions(app: FastifyInstance, options: ServeSubscriptionsOptions): void {
  const { path, sources, messageBytesMax, budget, server } = options;
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    clientTracking: false,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  const plain = new PlainUpgrades(app.server);
  const pinged = new PingedSockets();
  const batches = new WriteBatches();
  app.addHook('preClose', async () => pinged.close());
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node.js removes its own error handler before this event, and an error without a handler would end the thread.
    socket.on('error', () => undefined);
    const { url = '', headers } = request;
    const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === path;
    if (!isWebSocket) plain.answer(request, socket, head);
    else if (!sources.mayConnect(headers)) socket.end(FORBIDDEN);
    else
      upgrades.handleUpgrade(request, socket, head, (client) => {
        pinged.add(client);
        const beforeWrite = (): void => batches.beforeWrite(socket);
        new Connection(client, { beforeWrite, openMemory: (drop) => new MessageMemory(socket, budget, drop), server });
      });
  });
}

interface ConnectionOptions {
  /** Must be called before each message is sent. */
  readonly beforeWrite: () => void;
  readonly openMemory: (drop: (reason: DropReason) => void) => MessageMemory;
  readonly server: SubscriptionServer;
}

/**
 * A WebSocket of a subscriber. The memory of a connection does not grow with the number of messages that the client
 * sends.
 */
class Connection implements SubscriberContext {
  readonly streams: SubscriberContext['streams'] = new Set();
  private readonly client: WebSocket;
  private readonly pause: ReadPause;
  private readonly beforeWrite: () => void;

  constructor(client: WebSocket, { beforeWrite, openMemory, server }: ConnectionOptions) {
    this.client = client;
    this.beforeWrite = beforeWrite;
    this.pause = new ReadPause(client, PAUSE);
    const memory = openMemory((reason) => this.drop(reason));
    const closed = server.opened(
      {
        protocol: client.protocol,
        send: (text) => this.send(text),
        close: (code, reason) => this.end(code, reason),
        onMessage: (answer) =>
          client.on('message', (message: Buffer) => {
            if (client.readyState !== client.OPEN) return;
            // The arguments of a subscription, such as a list of addresses, are as large as the message. Their memory
            // is in use until the subscription ends.
            const free = memory.need(message.length);
            answer(String(message))
              .catch(() => this.end(CloseCode.FAILED, 'internal error'))
              .finally(free);
          }),
      },
      this,
    );
    // The library closes the connection after an error in a frame.
    client.on('error', () => undefined);
    client.on('close', (code, reason) => {
      memory.close();
      this.endStreams();
      void closed(code, String(reason));
    });
  }

  readonly closeConnection = (): void => this.client.terminate();

  /** Closes the connection, because its messages use too much memory or arrive too slowly. */
  private drop(reason: DropReason): void {
    if (reason === 'full') this.end(CloseCode.TRY_LATER, 'too many unfinished messages or subscriptions');
    else this.end(CloseCode.POLICY, 'message did not arrive in time');
  }

  /**
   * Sends a message. If few bytes are unsent, resolves at once, so that the stream can read its next event. Otherwise
   * resolves when the operating system has accepted the message, or when the connection is closed.
   */
  private send(text: string): Promise<void> {
    const { client, pause } = this;
    // Ends the streams if the connection is not open. Otherwise, `client.send` would complete at once, and the streams
    // would run at full speed.
    if (client.readyState !== client.OPEN) this.endStreams();
    this.beforeWrite();
    const sent = new Promise<void>((resolve) => {
      client.send(text, () => {
        pause.update();
        resolve();
      });
    });
    pause.update();
    return client.bufferedAmount < BATCH_BYTES ? DONE : sent;
  }

  /** Sends a close frame. If the client does not answer it, the WebSocket library disconnects the client later. */
  private end(code?: number, reason?: string): void {
    this.client.close(code, reason);
    this.endStreams();
  }

  /**
   * Ends all streams. `graphql-ws` does not end a stream if the client has used the id of its subscription for another
   * subscription.
   */
  private endStreams(): void {
    for (const stream of this.streams) void stream.return();
  }
}
