import type { Connection, Libp2p, PrivateKey } from '@libp2p/interface';
import { type ByteLink, StreamSocket } from './stream-socket.js';

/** ms that a connection may stay without a stream. */
const IDLE_MS = 10_000;
/**
 * Connections whose keys are not agreed upon yet; of one address at most five a second are taken, which is libp2p's own
 * bound.
 */
const PENDING_MAX = 20;

interface HostOptions {
  /** Multiaddrs, TCP or WebSocket. */
  readonly listen: readonly string[];
  /** Ed25519, as protobuf, see {@link createHostKey}. */
  readonly key: Uint8Array;
  readonly connectionsMax: number;
}

/** Encrypted links: noise and yamux over TCP and WebSocket, one stream for each connection. */
export interface LinkHost {
  /** Where others reach it, with the id that its key has. */
  readonly addresses: readonly string[];
  /** Takes the streams that others open. */
  serve(protocol: string, take: (link: ByteLink) => void): Promise<void>;
  /** @param address multiaddr with the id of who must answer. @throws {Error} nobody does, or somebody else */
  dial(address: string, protocol: string): Promise<ByteLink>;
  close(): Promise<void>;
}

/** A new identity. */
export async function createHostKey(): Promise<Uint8Array> {
  const { generateKeyPair, privateKeyToProtobuf } = await import('@libp2p/crypto/keys');
  return privateKeyToProtobuf(await generateKeyPair('Ed25519'));
}

/**
 * js-libp2p is loaded only here: it takes half a second.
 * @throws {Error} a multiaddr or the key is none, a port is taken
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
    // Whom to dial is decided by who uses the host.
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

/** A connection without a stream is of no use to anybody. */
function closeIdle(connection: Connection): void {
  const timer = setTimeout(() => {
    if (connection.streams.length === 0) connection.abort(new Error('nothing was asked for'));
  }, IDLE_MS).unref();
  connection.addEventListener('close', () => clearTimeout(timer));
}

/** What js-libp2p expects of every platform and Node 20 has not: ES2024's `Promise.withResolvers`, and `WebSocket`. */
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
