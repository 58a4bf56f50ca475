import type { MessagePort } from 'node:worker_threads';
import type { PeerDetails, PeerLink } from '../../api/context/api-context.js';
import type { PeerNetwork } from '../../p2p/peer-network.js';
import type { HostPort } from '../../p2p/transport/node-address.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import { ThreadChannel } from '../workers/thread-channel.js';
import { announcedHeight } from './announced-height.js';
import type { PeerMetrics } from './peer-metrics.js';

/** Source of data about peers. It exists only while the node is connected to a network. */
interface JoinedNetwork {
  readonly network: PeerNetwork;
  details(): readonly PeerDetails[];
  /** Addresses of reachable nodes found by discovery. */
  nodes(): readonly HostPort[];
}

/** The node's peers for the APIs. Without a network, the lists are empty. */
export class NodePeers implements PeerLink {
  readonly counts: PeerMetrics;
  joined: JoinedNetwork | undefined;

  constructor(counts: PeerMetrics) {
    this.counts = counts;
  }

  get active(): number {
    return this.joined?.network.peers.active().length ?? 0;
  }

  get inSync(): number {
    return this.joined?.network.peers.inSync().length ?? 0;
  }

  get dialled(): number {
    return this.joined?.network.peers.active().filter(({ channel }) => channel.isActive).length ?? 0;
  }

  /** Greatest height that a connected peer has announced; 0 without peers, undefined without a network. */
  get bestHeight(): number | undefined {
    return this.joined && Math.max(0, ...this.joined.network.peers.active().map(announcedHeight));
  }

  get details(): readonly PeerDetails[] {
    return this.joined?.details() ?? [];
  }

  get doubleProducers(): Readonly<Record<string, string>> {
    return this.joined?.network.doubles.found ?? {};
  }

  get nodes(): readonly HostPort[] {
    return this.joined?.nodes() ?? [];
  }

  broadcast(transaction: Broadcast): number {
    return this.joined?.network.submitTransaction(transaction) ?? 0;
  }
}

/** Transaction that is announced to peers. */
type Broadcast = Pick<DecodedTransaction, 'idHex' | 'bytes'>;
type PeersUpdate = Pick<NodePeers, 'active' | 'inSync' | 'dialled' | 'details' | 'doubleProducers' | 'nodes'>;

/**
 * Interval in ms at which the counts of peers are checked. If a count changed, an update is sent to the connected
 * thread.
 */
const UPDATE_MS = 250;
/** Number of checks after which an update is sent even if no count changed. */
const DETAILS_EACH = 8;

/** Sends peer data to another thread. Broadcasts the transactions that the thread sends. Ends when the port closes. */
export function answerPeers(port: MessagePort, peers: NodePeers): void {
  const link = new ThreadChannel<PeersUpdate, never, Broadcast>(port, {
    onNotification: (transaction) => peers.broadcast(transaction),
  });
  let last = '';
  let updates = 0;
  const sendUpdate = (): void => {
    if (peers.joined === undefined && last === '') return;
    const { active, inSync, dialled } = peers;
    const counts = `${active} ${inSync} ${dialled}`;
    const isDetailed = updates++ % DETAILS_EACH === 0 || counts !== last;
    if (!isDetailed) return;
    last = counts;
    const { details, doubleProducers, nodes } = peers;
    link.send({ active, inSync, dialled, details, doubleProducers, nodes });
  };
  const timer = setInterval(sendUpdate, UPDATE_MS).unref();
  port.on('message', (message) => link.receive(message));
  port.on('close', () => clearInterval(timer));
  port.unref();
}

/** The node's peers, as another thread reads them. */
export class RemotePeers implements PeerLink {
  private readonly port: MessagePort;
  private readonly link: ThreadChannel<Broadcast, never, PeersUpdate>;
  private latest: PeersUpdate = { active: 0, inSync: 0, dialled: 0, details: [], doubleProducers: {}, nodes: [] };

  constructor(port: MessagePort) {
    this.port = port;
    this.link = new ThreadChannel(port, {
      onNotification: (update) => {
        this.latest = update;
      },
    });
    port.on('message', (message) => this.link.receive(message));
    port.unref();
  }

  get active(): number {
    return this.latest.active;
  }

  get inSync(): number {
    return this.latest.inSync;
  }

  get dialled(): number {
    return this.latest.dialled;
  }

  get details(): readonly PeerDetails[] {
    return this.latest.details;
  }

  get doubleProducers(): Readonly<Record<string, string>> {
    return this.latest.doubleProducers;
  }

  get nodes(): readonly HostPort[] {
    return this.latest.nodes;
  }

  /**
   * Announces a transaction to all synced peers that do not have it. Returns before the announcements are sent.
   * @returns the number of synced peers, as of the last update
   */
  broadcast({ idHex, bytes }: Broadcast): number {
    this.link.send({ idHex, bytes });
    return this.inSync;
  }

  close(): void {
    this.port.close();
  }
}
