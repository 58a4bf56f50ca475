import { WebSocket } from '../../support/web-socket.js';

export interface SubscribedStream {
  readonly field: string;
  readonly finality: 'APPLIED' | 'SOLIDIFIED';
  /** GraphQL fields that are selected for each event, in addition to its cursor. */
  readonly selection: string;
}

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: { readonly data?: Readonly<Record<string, { readonly cursor: string }>> };
}

/** A subscription that survives the loss of its connection. It subscribes again at the cursor of its last event. */
export class ResumingSubscriber {
  /** Received events as JSON without their cursors, in order. */
  readonly events: string[] = [];
  isSubscribed = false;
  connections = 0;
  private readonly port: number;
  private readonly stream: SubscribedStream;
  private socket: WebSocket | undefined;
  private subscription = 0;
  private cursor: string | undefined;
  private isClosed = false;

  constructor(port: number, stream: SubscribedStream) {
    this.port = port;
    this.stream = stream;
    this.connect();
  }

  /** Cuts or closes the connection, or ends only the subscription. Then subscribes again. */
  lose(how: 'cut' | 'closed' | 'ended'): void {
    if (how === 'cut') this.socket?.terminate();
    else if (how === 'closed') this.socket?.close();
    else if (this.isSubscribed) {
      this.send({ id: String(this.subscription), type: 'complete' });
      this.subscribe();
    }
  }

  close(): void {
    this.isClosed = true;
    this.socket?.terminate();
  }

  private connect(): void {
    this.connections++;
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/graphql`, 'graphql-transport-ws');
    this.socket = socket;
    this.isSubscribed = false;
    socket.on('open', () => this.send({ type: 'connection_init' }));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!this.isClosed && this.socket === socket) this.connect();
    });
    // Ignores data of an earlier connection. Its events arrive again on the new connection.
    socket.on('message', (data) => this.socket === socket && this.take(JSON.parse(String(data)) as Message));
  }

  private subscribe(): void {
    const { field, finality, selection } = this.stream;
    const query = `subscription ($after: Cursor) { ${field}(finality: ${finality}, after: $after) { cursor ${selection} } }`;
    const id = String(++this.subscription);
    this.send({ id, type: 'subscribe', payload: { query, variables: { after: this.cursor } } });
    this.isSubscribed = true;
  }

  private take({ type, id, payload }: Message): void {
    if (type === 'connection_ack') this.subscribe();
    if (type === 'error') throw new Error(`${this.stream.field}: ${JSON.stringify(payload)}`);
    if (type !== 'next' || id !== String(this.subscription)) return;
    const { cursor, ...event } = payload?.data?.[this.stream.field] ?? { cursor: undefined };
    if (cursor === undefined) throw new Error(`${this.stream.field}: ${JSON.stringify(payload)}`);
    this.cursor = cursor;
    this.events.push(JSON.stringify(event));
  }

  private send(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }
}
