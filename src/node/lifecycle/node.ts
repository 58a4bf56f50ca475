import type { Logger } from 'pino';
import type { Chain } from '../../chain/chain.js';
import { type Clock, machineClock } from '../../chain/clock.js';
import { Producer } from '../../chain/production/producer.js';
import { ProducerKeys } from '../../chain/production/producer-keys.js';
import type { Transaction } from '../../codec/generated/messages.js';
import type { NodeConfig } from '../../config/load-config.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { peerRelease } from '../../p2p/releases/releases.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import type { DecodedTransaction } from '../../state-transition/transaction.js';
import { decodeTransaction } from '../../state-transition/transactions/decode-transaction.js';
import { openChain } from '../open-chain.js';
import { NodePeers } from '../peers/node-peers.js';
import { PeerMetrics } from '../peers/peer-metrics.js';
import { type StopTarget, stopTarget } from '../stop-target.js';
import { VotedHeight } from '../voted-height.js';

interface NodeOptions {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Something that runs beside the chain and ends with the node: a server, a sink. */
export interface Service {
  close(): Promise<void>;
}

/** A running node: the chain, what produces blocks for it, and what serves it to the outside. */
export class TronicleNode {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keys: ProducerKeys;
  readonly target: StopTarget;
  readonly peers: NodePeers;
  /** Newest block that enough witnesses voted for. */
  readonly voted: VotedHeight;
  /** Set when the node must not go on: an operator has to look. */
  failure: string | undefined;
  /** Told of a block of this node before it is applied. */
  announce: ((block: DecodedBlock) => void) | undefined;
  /** Of a group of nodes with the same witness keys this is the one that produces. */
  isMaster: () => boolean = () => true;
  private readonly producer: Producer | undefined;
  private readonly services: Service[] = [];
  private readonly ended = new AbortController();

  private constructor({ config, dataDir, log, clock = machineClock }: NodeOptions, chain: Chain) {
    this.config = config;
    this.dataDir = dataDir;
    this.log = log;
    this.clock = clock;
    const release = peerRelease(config.tronicle.release);
    this.peers = new NodePeers(new PeerMetrics({ hasMeters: config.node.metricsEnable, release, now: clock.now }));
    this.chain = chain;
    this.voted = VotedHeight.read(dataDir);
    this.target = stopTarget(config, chain);
    this.keys = new ProducerKeys(config.addressPrefix);
    for (const key of config.witness.privateKeys) this.keys.add(key);
    chain.listeners.add({
      forked: (isFailed) => {
        const { headNumber } = chain.ledger.position;
        if (isFailed) log.warn({ head: headNumber }, 'the longer branch is not taken');
        else log.info({ head: headNumber }, 'the chain switches to a longer branch');
      },
      leftBehind: (reason) => {
        this.failure = reason;
        log.fatal(reason);
        this.ended.abort();
      },
    });
    if (config.witness.enabled) this.producer = this.createProducer();
  }

  /** @throws {UsageError | DamageError} one sentence for the operator */
  static async open(options: NodeOptions): Promise<TronicleNode> {
    const { config, dataDir, log, clock = machineClock } = options;
    const { library, reason } = secp256k1;
    if (library !== 'native')
      log.warn({ library, reason }, 'signatures are recovered some 50 times slower than they could be');
    return new TronicleNode(options, await openChain({ config, dataDir, log, now: clock.now }));
  }

  /** Ends the node in order, as a signal does. */
  stop(): void {
    this.ended.abort();
  }

  /** Aborts when the node must stop, see {@link failure}. */
  get mustStop(): AbortSignal {
    return this.ended.signal;
  }

  /** Adds a service; the newest is closed first. */
  add(service: Service): void {
    this.services.push(service);
  }

  /** A block of somebody else is about to be executed. */
  blockCame(block: DecodedBlock): void {
    this.producer?.blockCame(block);
  }

  startProducing(): void {
    this.producer?.start();
  }

  /** Produces the block of the present slot at once, when it is ours. */
  async produceNow(): Promise<boolean> {
    return (await this.producer?.tick()) ?? false;
  }

  /** Produces the block of the first slot after the head, if its time has come and it is ours. */
  async produceNextSlot(): Promise<boolean> {
    return (await this.producer?.produceNextSlot()) ?? false;
  }

  clockHasJumped(): void {
    this.producer?.restart();
  }

  /** Checks a transaction and lets it wait. @throws {ChainError} every refusal */
  submit(message: Transaction): DecodedTransaction {
    const transaction = decodeTransaction(message);
    this.chain.mempool.validateAndAdd(transaction);
    return transaction;
  }

  async close(): Promise<void> {
    this.producer?.stop();
    for (const service of [...this.services].reverse()) await service.close();
    await this.voted.write(this.dataDir);
    await this.chain.ledger.close();
  }

  private createProducer(): Producer {
    const { config, chain, clock, log, keys } = this;
    const { accountAddress, privateKeys } = config.witness;
    log.info({ witness: accountAddress, keys: privateKeys.length }, 'produces blocks');
    return new Producer({
      chain,
      keys,
      clock,
      log,
      isSorted: config.node.openTransactionSort,
      timeoutPercent: config.node.blockProducedTimeOut,
      minParticipationRate: config.node.minParticipationRate,
      needsSyncFirst: config.block.needSyncCheck,
      announce: (block) => this.announce?.(block),
      isMaster: () => this.isMaster(),
    });
  }
}
