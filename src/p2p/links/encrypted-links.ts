import type { Logger } from 'pino';
import type { Transport } from '../transport/transport.js';
import type { LinkHost } from './libp2p-host.js';
import type { ByteLink } from './stream-socket.js';

/**
 * Protocol id of an encrypted link. The peers exchange the same messages as on a TCP connection, starting with HELLO.
 */
export const PEER_PROTOCOL = '/tronicle/peer/1';
const REDIAL_MS = 10_000;

interface EncryptedLinksOptions {
  readonly host: LinkHost;
  readonly transport: Transport;
  /** Multiaddrs of the peers to dial, with peer ids. Configured by `tronicle.libp2p.peers`. */
  readonly peers: readonly string[];
  readonly log: Logger;
  /** Interval between two connection attempts, in ms. */
  readonly redialMs?: number;
}

/** Encrypted and authenticated links between Tronicle nodes. Each node verifies the key of the other node. */
export class EncryptedLinks {
  private readonly options: EncryptedLinksOptions;
  private readonly linked = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: EncryptedLinksOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    const { host, transport, peers, redialMs = REDIAL_MS } = this.options;
    await host.serve(PEER_PROTOCOL, (link) => transport.accept(link));
    const dialAll = (): void => {
      for (const peer of peers) void this.dial(peer);
    };
    dialAll();
    this.timer = setInterval(dialAll, redialMs);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.options.host.close();
  }

  private async dial(peer: string): Promise<void> {
    if (this.linked.has(peer)) return;
    this.linked.add(peer);
    const { host, transport, log } = this.options;
    let link: ByteLink;
    try {
      link = await host.dial(peer, PEER_PROTOCOL);
    } catch (error) {
      this.linked.delete(peer);
      log.debug(
        { peer, reason: error instanceof Error ? error.message : error },
        'encrypted connection to a peer failed',
      );
      return;
    }
    if (link.destroyed) {
      this.linked.delete(peer);
      return;
    }
    link.once('close', () => this.linked.delete(peer));
    transport.open(link);
  }
}
