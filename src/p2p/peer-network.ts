import type { Logger } from 'pino';
import { HelloMessage } from '../codec/generated/messages.js';
import { toHex } from '../primitives/bytes.js';
import { SECOND_MS } from '../primitives/units.js';
import type { DecodedBlock } from '../state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../state-transition/transaction.js';
import { Advertiser } from './inventory/advertiser.js';
import { DoubleProducers } from './inventory/double-producers.js';
import { FetchWatch } from './inventory/fetch-watch.js';
import { ItemServer } from './inventory/item-server.js';
import { TransactionIntake } from './inventory/transaction-intake.js';
import type { ByteLink } from './links/stream-socket.js';
import type { LocalChain } from './local-chain.js';
import { MessageRouter } from './message-router.js';
import { type ProofStore, Proofs } from './pbft/proofs.js';
import { type Proposal, VoteCounter, type VoteCounterOptions } from './pbft/vote-counter.js';
import { isSyncing, VoteGate } from './pbft/vote-gate.js';
import type { PeerObserver } from './peer-observer.js';
import { PeerSlices } from './peer-slices.js';
import { DisconnectRecords } from './peers/disconnect-records.js';
import { createHello, headOf, isValidHello, rejectReasonOfHello } from './peers/hello.js';
import { IdleClock } from './peers/idle-clock.js';
import { IsolationCheck } from './peers/isolation-check.js';
import { Peer } from './peers/peer.js';
import { PeerSet } from './peers/peer-set.js';
import { Resilience } from './peers/resilience.js';
import { overdue, STATUS_CHECK_FIRST_MS, STATUS_CHECK_PERIOD_MS } from './peers/status-check.js';
import { BlockRelay, type WitnessIdentity } from './relay/block-relay.js';
import type { PeerRelease } from './releases/peer-release.js';
import { SyncClient } from './sync/sync-client.js';
import type { Channel } from './transport/channel.js';
import type { DialLimits } from './transport/dial-pool.js';
import type { HostPort, NodeAddress } from './transport/node-address.js';
import { Transport } from './transport/transport.js';
import { encodeMessage, type Reason } from './wire/messages.js';

interface PeerNetworkOptions extends DialLimits {
  readonly chain: LocalChain;
  readonly release: PeerRelease;
  /** Id of the network. Nodes of other networks are rejected. Configured by `node.p2p.version`. */
  readonly networkId: number;
  readonly self: () => NodeAddress;
  /** TCP port to listen on. Configured by `node.listen.port`. */
  readonly listenPort: number;
  /** Nodes that are dialled permanently. Configured by `node.active`. */
  readonly activeNodes: readonly HostPort[];
  /** Trusted addresses. Configured by `node.passive`. */
  readonly trustedHosts: readonly string[];
  /** Relay nodes. Configured by `node.fastForward`. */
  readonly relayNodes: readonly HostPort[];
  /** Number of upcoming witnesses to which a relay node sends a block. Configured by `node.maxFastForwardNum`. */
  readonly relayWitnesses: number;
  /** True if this node is a relay node. Set by the flag `--fast-forward`. */
  readonly isRelay: boolean;
  /** Address and signing function of the witness of this node; undefined if this node produces no blocks. */
  readonly witness: WitnessIdentity | undefined;
  /** Returns true if this node is the master of its backup group. */
  readonly isMaster: () => boolean;
  /** Options of PBFT vote counting. If undefined, votes are only forwarded. */
  readonly voting?: Pick<VoteCounterOptions, 'quorum' | 'keysOf' | 'agreed'> & { readonly store: ProofStore };
  /** Returns dialable nodes found by discovery, most recently active first. */
  readonly candidates: () => readonly NodeAddress[];
  /** Returns nodes listed by DNS trees. */
  readonly listed: () => readonly NodeAddress[];
  /**
   * Enables the isolation check: this node dials additional nodes while all peers have lower heads than this node.
   * Configured by `node.effectiveCheckEnable`.
   */
  readonly checksIsland: boolean;
  /**
   * True to request the number of free connections of a node before it is dialled. Configured by
   * `node.nodeDetectEnable`.
   */
  readonly detects: boolean;
  readonly syncFetchBatchNum: number;
  readonly blockCacheTimeoutMs: number;
  readonly fetchBlockTimeoutMs: number;
  readonly transactionsMax: number;
  /** Opens a connection; default: TCP. */
  readonly connect?: (target: HostPort) => ByteLink;
  readonly observer: PeerObserver;
  readonly log: Logger;
  readonly now: () => number;
}

/** The peer-to-peer network of a node: everything between a TCP connection and the chain. Reference: TronNetService. */
export class PeerNetwork {
  readonly peers = new PeerSet();
  readonly transport: Transport;
  readonly disconnects: DisconnectRecords;
  readonly doubles: DoubleProducers;
  private readonly options: PeerNetworkOptions;
  private readonly sync: SyncClient;
  private readonly relay: BlockRelay;
  private readonly resilience: Resilience;
  private readonly island: IsolationCheck;
  private readonly advertiser: Advertiser;
  private readonly intake: TransactionIntake;
  private readonly watch: FetchWatch;
  private readonly router: MessageRouter;
  private readonly waitClock: IdleClock;
  private readonly counter: VoteCounter | undefined;
  private readonly timers: NodeJS.Timeout[] = [];
  private activeNodes: readonly HostPort[];
  private trusted: Set<string>;

  constructor(options: PeerNetworkOptions) {
    this.waitClock = new IdleClock(options.now);
    const { chain, release, now, log, observer, activeNodes, trustedHosts, relayNodes, isRelay } = options;
    const { peers, waitClock } = this;
    this.options = options;
    this.disconnects = new DisconnectRecords(now);
    this.doubles = new DoubleProducers(now);
    this.watch = new FetchWatch({ chain, peers, timeoutMs: options.fetchBlockTimeoutMs, now });
    this.advertiser = new Advertiser({
      peers,
      seenLifeMs: options.blockCacheTimeoutMs,
      announcementMs: release.announcementMs,
      isRelay,
      fetching: (ids, peer) => this.watch.fetching(ids, peer),
      now,
    });
    this.intake = new TransactionIntake({ chain, release, advertiser: this.advertiser, waitClock, observer, log });
    const batchNum = options.syncFetchBatchNum;
    const { voting } = options;
    const proofs = voting && new Proofs({ chain, release, store: voting.store, quorum: voting.quorum, now });
    this.sync = new SyncClient({
      chain,
      imported: ({ number, timeMs }) => proofs?.synced(number, timeMs),
      release,
      peers,
      batchNum,
      requestLifeMs: options.blockCacheTimeoutMs,
      waitClock,
      observer,
      log,
      now,
    });
    this.counter = this.createCounter();
    this.router = new MessageRouter({
      chain,
      release,
      peers,
      sync: this.sync,
      advertiser: this.advertiser,
      server: new ItemServer({ chain, release, proofs, advertiser: this.advertiser, log }),
      intake: this.intake,
      watch: this.watch,
      doubles: this.doubles,
      proofs,
      votes: new VoteGate({ chain, release, peers, counter: this.counter, now }),
      transactionsMax: options.transactionsMax,
      isRelay,
      hello: (peer, hello) => this.takeHello(peer, hello),
      announce: (block) => this.spreadBlock(block),
      executed: (block) => this.advertiser.executedBlock(transactionsOf(block)),
      waitClock,
      turns: new PeerSlices({ waitClock }),
      observer,
      log,
      now,
    });
    this.activeNodes = activeNodes;
    this.trusted = trustedOf(activeNodes, trustedHosts, relayNodes);
    this.resilience = new Resilience({
      peers,
      limits: options,
      idleMs: release.limits.idleSeconds * SECOND_MS,
      savedMs: () => chain.savedMs,
      log,
      now,
    });
    this.island = new IsolationCheck({
      peers,
      candidates: () => [...options.candidates(), ...options.listed()],
      targetOf: (node) => this.transport.targetOf(node),
      activeNodes: () => this.activeNodes,
      dial: (target, nodeId, ended) => this.transport.connect(target, nodeId, ended),
      log,
      now,
    });
    this.relay = new BlockRelay({
      chain,
      peers,
      release,
      nodes: relayNodes,
      isRelay,
      nextWitnesses: options.relayWitnesses,
      identity: options.witness,
      isMaster: options.isMaster,
      trust: (host) => this.trusted.add(host),
    });
    this.transport = new Transport({
      ...options,
      rules: release.transport,
      activeNodes: () => this.relay.dialled(this.activeNodes),
      isTrusted: (host) => this.trusted.has(host),
      bytes: (kind, count) => observer.bytes(kind, count),
      handler: {
        connected: (channel) => this.connected(channel),
        disconnected: (channel) => this.disconnected(channel),
        message: this.router.receive,
      },
    });
  }

  /** Replaces the nodes that are dialled permanently. Reference: DynamicArgs.updateActiveNodes. */
  setActiveNodes(activeNodes: readonly HostPort[]): void {
    this.activeNodes = activeNodes;
  }

  /**
   * Replaces the trusted addresses. The permanently dialled nodes remain trusted. Existing connections are not
   * affected. Reference: DynamicArgs.updateTrustNodes.
   */
  setTrustedHosts(trustedHosts: readonly string[]): void {
    this.trusted = trustedOf(this.activeNodes, trustedHosts, this.options.relayNodes);
  }

  async start(): Promise<void> {
    await this.transport.start();
    this.relay.start();
    if (this.options.release.evictsIdlePeers) this.resilience.start();
    if (this.options.checksIsland) this.island.start();
    const check = (): void => this.checkStatus();
    const first = setTimeout(() => {
      check();
      this.timers.push(setInterval(check, STATUS_CHECK_PERIOD_MS));
    }, STATUS_CHECK_FIRST_MS);
    this.timers.push(first);
    if (this.counter !== undefined) this.timers.push(setInterval(() => this.counter?.expire(), SECOND_MS));
  }

  async close(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    const { quitting } = this.options.release;
    if (quitting !== undefined) for (const peer of this.peers.active()) peer.disconnect(quitting);
    this.resilience.close();
    this.island.close();
    this.relay.close();
    this.sync.close();
    this.advertiser.close();
    this.intake.close();
    this.watch.close();
    await this.transport.close();
  }

  /**
   * Announces a transaction that a client has submitted. Notifies all peers in sync.
   * @returns number of notified peers
   */
  submitTransaction({ idHex, bytes }: Pick<DecodedTransaction, 'idHex' | 'bytes'>): number {
    return this.advertiser.submitTransaction(idHex, bytes);
  }

  /** Announces a block. A block that this node produced is announced after it is on disk. */
  announceBlock(block: DecodedBlock): void {
    this.spreadBlock(block);
    this.advertiser.executedBlock(transactionsOf(block));
  }

  private spreadBlock(block: DecodedBlock): void {
    this.watch.received(block.idHex);
    if (this.options.isRelay) {
      this.relay.broadcast(block);
      return;
    }
    this.advertiser.announceBlock(block.idHex, block.bytes);
  }

  /** Starts a vote on a block or a witness list. */
  propose(proposal: Proposal): void {
    this.counter?.propose(proposal);
  }

  /** Ends the vote on a proposal whose block a reorg has reverted. */
  withdraw(proposal: Proposal): void {
    this.counter?.withdraw(proposal);
  }

  private createCounter(): VoteCounter | undefined {
    const { voting, now } = this.options;
    if (voting === undefined) return undefined;
    return new VoteCounter({
      ...voting,
      isSyncing: () => isSyncing(this.peers),
      send: (body) => {
        const message = encodeMessage('PBFT_MSG', body);
        for (const peer of this.peers.active()) peer.send(message);
      },
      now,
    });
  }

  private connected(channel: Channel): void {
    const { chain, release, now, relayNodes, self, networkId, observer, log } = this.options;
    const isRelay = relayNodes.some(({ host }) => host === channel.host);
    const peer = new Peer(channel, { genesis: chain.genesis, release, isRelay, observer, now });
    this.peers.add(peer);
    this.advertiser.peerConnected();
    const hello = createHello(chain, { self: self(), networkId, startMs: channel.startMs, release });
    this.relay.fill(hello, channel.host);
    peer.announcedHead = chain.head.number;
    peer.send(encodeMessage('P2P_HELLO', HelloMessage.encode(hello)));
    log.info({ peer: channel.key, isDialled: channel.isActive, peers: this.peers.active().length }, 'peer connected');
  }

  private disconnected(channel: Channel): void {
    const peer = this.peers.remove(channel);
    if (peer === undefined) return;
    this.sync.peerDisconnected(peer);
    this.advertiser.peerDisconnected(peer);
    this.disconnects.note(channel.host, { local: peer.disconnectReason, remote: peer.remoteReason });
    const { log } = this.options;
    log.info(
      { peer: channel.key, reason: peer.disconnectReason, peers: this.peers.active().length },
      'peer disconnected',
    );
  }

  private takeHello(peer: Peer, hello: HelloMessage): void {
    const { now, log } = this.options;
    if (peer.hello !== undefined) {
      peer.disconnect('BAD_PROTOCOL');
      return;
    }
    this.transport.table.updateNodeId(peer.channel, toHex(hello.from?.nodeId ?? new Uint8Array(0)));
    if (peer.isClosed) return;
    const reason = this.refusalOf(peer, hello);
    if (reason !== undefined) {
      log.info({ peer: peer.channel.key, reason }, 'rejecting handshake of peer');
      peer.disconnect(reason);
      return;
    }
    const head = headOf(hello);
    peer.hello = hello;
    peer.channel.noteLatency(now() - peer.channel.startMs);
    this.peers.sort();
    if (head.number > peer.announcedHead) {
      peer.needsSyncFromUs = false;
      this.sync.start(peer);
      return;
    }
    peer.needsSyncFromPeer = false;
    if (head.number === peer.announcedHead) peer.needsSyncFromUs = false;
  }

  private refusalOf(peer: Peer, hello: HelloMessage): Reason | undefined {
    const { chain, networkId, release } = this.options;
    if (!isValidHello(hello, release)) return release.invalidHello;
    if (!this.relay.accepts(hello, peer.channel)) return 'UNEXPECTED_IDENTITY';
    const refusal = rejectReasonOfHello(chain, hello, { networkId, release });
    if (refusal !== undefined) return refusal;
    const isBehind = headOf(hello).number < chain.head.number;
    return isBehind && this.island.isChosen(peer.channel) ? 'BELOW_THAN_ME' : undefined;
  }

  private checkStatus(): void {
    const { now, log } = this.options;
    for (const peer of this.peers.active()) {
      const reason = overdue(peer, now(), this.waitClock.now());
      if (reason === undefined) continue;
      log.info({ peer: peer.channel.key, reason }, 'peer timed out');
      peer.disconnect('TIME_OUT');
    }
  }
}

/** Returns the addresses that are exempt from connection limits, bans and eviction. */
function trustedOf(
  active: readonly HostPort[],
  trustedHosts: readonly string[],
  relayNodes: readonly HostPort[],
): Set<string> {
  return new Set([...trustedHosts, ...[...active, ...relayNodes].map(({ host }) => host)]);
}

function transactionsOf(block: DecodedBlock): readonly (readonly [id: string, bytes: Uint8Array])[] {
  return block.transactions.map(({ idHex, bytes }) => [idHex, bytes]);
}
