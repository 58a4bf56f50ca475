import type { WebSocket } from 'ws';
import type { DropReason } from '../../../primitives/byte-budget.js';
import { CloseCode } from '../../http/web-sockets/close-code.js';
import type { MessageMemory } from '../../http/web-sockets/message-memory.js';
import { ReadPause } from '../../http/web-sockets/read-pause.js';
import { graphqlError } from '../graphql-errors.js';
import type { SubscriberContext } from '../resolvers/subscription-resolvers.js';
import { type ClientMessage, readClientMessage, type SubscriptionProtocol } from './subscription-protocol.js';

/** Result of a subscription: its events, or the errors that prevented its start. */
export type Subscribed = AsyncIterable<unknown> & { return?(): unknown };

interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly protocol: SubscriptionProtocol;
  readonly memory: MessageMemory;
  /**
   * Starts a subscription.
   * @param payload payload of the client's message
   * @throws the subscription is invalid
   */
  readonly subscribe: (payload: unknown, context: SubscriberContext) => Promise<Subscribed>;
  /** Converts a result of a subscription to the payload of an event. */
  readonly shownEvent: (value: unknown) => unknown;
  /** Converts an error to the errors that the client receives. */
  readonly shownErrors: (error: unknown) => readonly unknown[];
}

/** A subscription of the connection. */
interface Operation {
  /** Events; undefined while the subscription starts. */
  events: Subscribed | undefined;
  /** True if the client needs no more messages of this subscription. */
  isOver: boolean;
}

/**
 * Maximum number of subscriptions per connection. A subscription has a log position and at most one event in memory.
 */
const SUBSCRIPTIONS_MAX = 32;
/** The connection is not read while more bytes are unsent. */
const PAUSE = {
  messagesMax: Number.POSITIVE_INFINITY,
  bytesMax: Number.POSITIVE_INFINITY,
  unsentBytesMax: 64 * 1024,
};
/** Time in ms within which a client must send `connection_init`. */
const INIT_TIMEOUT_MS = 10_000;

/** Close codes of the protocol graphql-transport-ws. */
const INVALID_MESSAGE = 4400;
const UNAUTHORIZED = 4401;
const INIT_TIMEOUT = 4408;
const SUBSCRIBER_EXISTS = 4409;
const TOO_MANY_INITS = 4429;

/**
 * A WebSocket connection of a client that subscribes to events. Disconnects a client that violates the protocol. The
 * memory of a connection does not depend on the number of messages that the client sends.
 */
export class SubscriptionConnection {
  private readonly options: ConnectionOptions;
  private readonly pause: ReadPause;
  /** Subscriptions that the client has not ended, by id. */
  private readonly operations = new Map<string, Operation>();
  /** Number of subscriptions whose last message is not sent yet. It includes those that the client has ended. */
  private running = 0;
  private isInitialised = false;
  private readonly initTimer: NodeJS.Timeout;

  constructor(options: ConnectionOptions) {
    const { socket } = options;
    this.options = options;
    this.pause = new ReadPause(socket, PAUSE);
    this.initTimer = setTimeout(() => this.end(INIT_TIMEOUT, 'Connection initialisation timeout'), INIT_TIMEOUT_MS);
    socket.on('message', (message: Buffer) => {
      // The connection is already being closed.
      if (socket.readyState !== socket.OPEN) return;
      const read = readClientMessage(String(message));
      if (read === undefined) this.end(INVALID_MESSAGE, 'Invalid message received');
      else this.take(read, message.length);
    });
    // The library closes the connection after an error in a frame.
    socket.on('error', () => undefined);
    socket.on('close', () => this.closed());
  }

  /** Sends a message that keeps the connection open. */
  keepAlive(): void {
    if (this.isInitialised) void this.send({ type: this.options.protocol.keepAlive });
  }

  /** Closes the connection, because its messages use too much memory or arrive too slowly. */
  drop(reason: DropReason): void {
    if (reason === 'full') this.end(CloseCode.TRY_LATER, 'too many unfinished messages or subscriptions');
    else this.end(CloseCode.POLICY, 'message did not arrive in time');
  }

  private take({ type, id, payload }: ClientMessage, bytes: number): void {
    const { protocol } = this.options;
    if (type === 'connection_init') this.init();
    else if (type === protocol.start) this.start(id, payload, bytes);
    else if (type === protocol.stop) this.stop(id);
    else if (type === 'ping') void this.send({ type: 'pong' });
    else if (type === protocol.terminate) this.end(CloseCode.NORMAL, '');
    else if (type !== 'pong' && type !== protocol.keepAlive) this.end(INVALID_MESSAGE, 'Invalid message received');
  }

  private init(): void {
    if (this.isInitialised) {
      this.end(TOO_MANY_INITS, 'Too many initialisation requests');
      return;
    }
    this.isInitialised = true;
    clearTimeout(this.initTimer);
    void this.send({ type: 'connection_ack' });
  }

  private start(id: string | undefined, payload: unknown, bytes: number): void {
    if (id === undefined) this.end(INVALID_MESSAGE, 'Invalid message received');
    else if (!this.isInitialised) this.end(UNAUTHORIZED, 'Unauthorized');
    else if (this.operations.has(id)) this.end(SUBSCRIBER_EXISTS, `Subscriber for ${id} already exists`);
    else if (this.running >= SUBSCRIPTIONS_MAX) {
      const text = `too many subscriptions; the maximum per connection is ${SUBSCRIPTIONS_MAX}`;
      const payload = this.options.shownErrors(graphqlError('TOO_MANY_SUBSCRIPTIONS', text));
      void this.send({ type: 'error', id, payload });
    } else void this.run(id, payload, bytes);
  }

  private stop(id: string | undefined): void {
    const operation = this.operations.get(id ?? '');
    if (id === undefined || operation === undefined) return;
    this.operations.delete(id);
    cancel(operation);
  }

  /** Sends the events of a subscription until it ends. */
  private async run(id: string, payload: unknown, bytes: number): Promise<void> {
    const { memory, protocol, subscribe, shownEvent, shownErrors, socket } = this.options;
    const operation: Operation = { events: undefined, isOver: false };
    this.operations.set(id, operation);
    this.running++;
    // The arguments of a subscription, such as a list of addresses, are as large as the message.
    const free = memory.need(bytes);
    try {
      const events = await subscribe(payload, { closeConnection: () => socket.terminate() });
      operation.events = events;
      if (operation.isOver) await events.return?.();
      for await (const value of events) {
        if (operation.isOver) break;
        await this.send({ type: protocol.event, id, payload: shownEvent(value) });
      }
      if (!operation.isOver) await this.send({ type: 'complete', id });
    } catch (error) {
      if (!operation.isOver) await this.send({ type: 'error', id, payload: shownErrors(error) });
    } finally {
      free();
      this.running--;
      if (this.operations.get(id) === operation) this.operations.delete(id);
    }
  }

  /** Sends a message. Resolves when the operating system has accepted it, or when the connection is closed. */
  private send(message: object): Promise<void> {
    return new Promise((resolve) => {
      this.options.socket.send(JSON.stringify(message), () => {
        this.pause.update();
        resolve();
      });
      this.pause.update();
    });
  }

  /** Sends a close frame. If the client does not answer it, the WebSocket library disconnects the client later. */
  private end(code: number, reason: string): void {
    this.options.socket.close(code, reason);
    this.closed();
  }

  private closed(): void {
    clearTimeout(this.initTimer);
    this.isInitialised = false;
    this.options.memory.close();
    for (const operation of this.operations.values()) cancel(operation);
    this.operations.clear();
  }
}

function cancel(operation: Operation): void {
  operation.isOver = true;
  void operation.events?.return?.();
}
