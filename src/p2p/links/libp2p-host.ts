import type { Connection, Libp2p, PrivateKey } from '@libp2p/interface';
import { type ByteLink, StreamSocket } from './stream-socket.js';

/** Time in ms after which a connection without an open stream is closed. */
const IDLE_MS = 10_000;
/**
 * Maximum number of connections whose key exchange is not complete. js-libp2p accepts at most five connections per
 * second from one address.
 */
const PENDING_MAX = 20;

interface HostOptions {
  /** Multiaddrs to listen on, TCP or WebSocket. */
  readonly listen: readonly string[];
  /** Ed25519 key in protobuf encoding, see {@link createHostKey}. */
  readonly key: Uint8Array;
  readonly connectionsMax: number;
}

/** Host of encrypted links (noise and yamux over TCP or WebSocket). Each connection has one stream. */
export interface LinkHost {
  /** Multiaddrs of this host, with the peer id of its key. */
  readonly addresses: readonly string[];
  /** Accepts streams opened by peers. */
  serve(protocol: string, take: (link: ByteLink) => void): Promise<void>;
  /**
   * Opens a link.
   * @param address multiaddr with peer id
   * @throws {Error} the peer is unreachable or has another key
   */
  dial(address: string, protocol: string): Promise<ByteLink>;
  close(): Promise<void>;
}

/** Creates a new random key, which defines the peer id of this host. */
export async function createHostKey(): Promise<Uint8Array> {
  const { generateKeyPair, privateKeyToProtobuf } = await import('@libp2p/crypto/keys');
  return privateKeyToProtobuf(await generateKeyPair('Ed25519'));
}

/**
 * Starts js-libp2p. Loads the library only when this function is called, because loading takes half a second.
 * @throws {Error} invalid multiaddr or key, port in use
 */
export async function openLinkHost({ listen, key, connectionsMax }: HostOptions): Promise<LinkHost> {
  await provideNewerGlobals();
  const [{ createLibp2p }, { noise }, { yamux }, { tcp }, { webSockets }, { privateKeyFromProtobuf }, { multiaddr }] =
    await Promise.all([
      import('libp2p'),
      import('@libp2p/noise'),
      import('@libp2p/yamux'),
      import('@libp2p/tcp'),
      import('@libp2p/websockets'),
      import('@libp2p/crypto/keys'),
      import('@multiformats/multiaddr'),
    ]);
  const privateKey: PrivateKey = privateKeyFromProtobuf(key);
  const host: Libp2p = await createLibp2p({
    privateKey,
    addresses: { listen: [...listen] },
    transports: [tcp(), webSockets()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionManager: { maxConnections: connectionsMax, maxIncomingPendingConnections: PENDING_MAX },
    // Accepts every address, because the caller decides which peers to dial.
    connectionGater: {},
  });
  host.addEventListener('connection:open', ({ detail }) => closeIdle(detail));
  return {
    get addresses() {
      return host.getMultiaddrs().map(String);
    },
    serve: (protocol, take) =>
      host.handle(protocol, (stream, connection) => take(new StreamSocket(stream, connection)), {
        maxInboundStreams: 1,
      }),
    dial: async (address, protocol) => {
      const connection = await host.dial(multiaddr(address), { force: true });
      return new StreamSocket(await connection.newStream(protocol), connection);
    },
    close: async () => host.stop(),
  };
}

/** Closes a connection that has no stream after {@link IDLE_MS}. */
function closeIdle(connection: Connection): void {
  const timer = setTimeout(() => {
    if (connection.streams.length === 0) connection.abort(new Error('no stream opened'));
  }, IDLE_MS).unref();
  connection.addEventListener('close', () => clearTimeout(timer));
}

/** Provides globals that js-libp2p needs and Node 20 lacks: `Promise.withResolvers` (ES2024) and `WebSocket`. */
async function provideNewerGlobals(): Promise<void> {
  Promise.withResolvers ??= withResolvers as typeof Promise.withResolvers;
  if (globalThis.WebSocket === undefined) {
    const { WebSocket } = await import('ws');
    Object.assign(globalThis, { WebSocket });
  }
}

function withResolvers(this: PromiseConstructor): object {
  let settle: { resolve: unknown; reject: unknown } | undefined;
  const promise = new this((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}
