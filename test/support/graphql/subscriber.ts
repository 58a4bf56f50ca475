import { EVENT_TIMEOUT_MS } from '../event-timeout.js';
import { WebSocket } from '../web-socket.js';

export interface Message {
  readonly type: string;
  readonly payload?: {
    readonly data?: Record<string, Record<string, unknown>>;
    readonly errors?: readonly { readonly message: string }[];
  } & readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

/** One subscription. Each has its own connection. */
export class Subscriber {
  readonly messages: Message[] = [];
  readonly closed: Promise<void>;
  readonly socket: WebSocket;
  private wake: () => void = () => undefined;

  constructor(port: number, query: string, variables: object = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    const send = (message: object): void => this.socket.send(JSON.stringify(message));
    this.socket.on('open', () => send({ type: 'connection_init' }));
    this.socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query, variables } });
      if (message.type === 'ping') return;
      this.messages.push(message);
      this.wake();
    });
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()));
  }

  /** Returns the values of a field in all events received so far. */
  events(field: string): Record<string, unknown>[] {
    return this.messages.flatMap(({ type, payload }) => {
      const event = type === 'next' ? payload?.data?.[field] : undefined;
      return event === undefined ? [] : [event];
    });
  }

  /**
   * Waits until the received events satisfy a condition.
   * @throws {Error} the condition is not satisfied within {@link EVENT_TIMEOUT_MS}
   */
  async until(isReached: (subscriber: this) => boolean): Promise<void> {
    const limit = Date.now() + EVENT_TIMEOUT_MS;
    while (!isReached(this)) {
      if (Date.now() > limit) throw new Error(`received ${JSON.stringify(this.messages).slice(0, 500)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): Promise<void> {
    this.socket.close();
    return this.closed;
  }
}
