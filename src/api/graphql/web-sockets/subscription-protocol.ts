/** Names of the messages of a WebSocket protocol for GraphQL. The other names are the same in both protocols. */
export interface SubscriptionProtocol {
  /** Client: starts a subscription. */
  readonly start: string;
  /** Client: ends a subscription. */
  readonly stop: string;
  /** Server: an event of a subscription. */
  readonly event: string;
  /** Server: sent at intervals, so that proxies do not close the connection. */
  readonly keepAlive: string;
  /** Client: ends the connection. Undefined if the client closes the WebSocket instead. */
  readonly terminate: string | undefined;
}

/** The protocols by the name in the header `Sec-WebSocket-Protocol`. `graphql-ws` is the older one. */
export const subscriptionProtocols: ReadonlyMap<string, SubscriptionProtocol> = new Map([
  [
    'graphql-transport-ws',
    { start: 'subscribe', stop: 'complete', event: 'next', keepAlive: 'ping', terminate: undefined },
  ],
  ['graphql-ws', { start: 'start', stop: 'stop', event: 'data', keepAlive: 'ka', terminate: 'connection_terminate' }],
]);

/** A message of a client, with the members that the server reads. */
export interface ClientMessage {
  readonly type: string;
  /** Identifies a subscription. The client chooses it. */
  readonly id: string | undefined;
  readonly payload: unknown;
}

/** Maximum length of the id of a subscription, in characters. Clients use a number or a UUID. */
const ID_LENGTH_MAX = 128;

/** Decodes a message. Returns undefined if it is malformed. */
export function readClientMessage(text: string): ClientMessage | undefined {
  try {
    const message = JSON.parse(text) as Partial<Record<'type' | 'id' | 'payload', unknown>> | null;
    const { type, id, payload } = message ?? {};
    if (typeof type !== 'string') return undefined;
    if (id !== undefined && (typeof id !== 'string' || id.length > ID_LENGTH_MAX)) return undefined;
    return { type, id, payload };
  } catch {
    return undefined;
  }
}
