import type { Logger } from 'pino';
import type { Chain } from '../../chain/chain.js';
import { type Clock, machineClock } from '../../chain/clock.js';
import { Producer } from '../../chain/production/producer.js';
import { ProducerKeys } from '../../chain/production/producer-keys.js';
import { SignedBlocks } from '../../chain/production/signed-blocks.js';
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

/** A component that the node closes when it stops, such as a server or a sink. */
export interface Service {
  close(): Promise<void>;
}

/** A running node: the chain, the block producer, and the services that use the chain. */
export class TronicleNode {
  readonly config: NodeConfig;
  readonly dataDir: string;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keys: ProducerKeys;
  readonly target: StopTarget;
  readonly peers: NodePeers;
  /** Height of the newest block with a PBFT quorum. */
  readonly voted: VotedHeight;
  /**
   * Error that stopped the node, as text for the operator. Undefined while the node runs, and after a stop by a
   * signal or at the stop target of `node.shutdown`.
   */
  failure: string | undefined;
  /** Called with each block that this node produced, after the block is the head and on disk. */
  announce: ((block: DecodedBlock) => void) | undefined;
  /**
   * Returns true if this node may produce blocks. In a backup group, several nodes have the same witness keys, and only
   * the master may produce.
   */
  isMaster: () => boolean = () => true;
  /** Double-sign protection; undefined if this node does not produce blocks. */
  readonly signedBlocks: SignedBlocks | undefined;
  private readonly producer: Producer | undefined;
  private readonly services: Service[] = [];
  private readonly ended = new AbortController();

  private constructor(
    { config, dataDir, log, clock = machineClock }: NodeOptions,
    chain: Chain,
    signedBlocks: SignedBlocks | undefined,
  ) {
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
        if (isFailed) log.warn({ head: headNumber }, 'reorg to a longer branch failed');
        else log.info({ head: headNumber }, 'reorg started');
      },
      outdated: (reason) => {
        this.failure = reason;
        log.fatal(reason);
        this.ended.abort();
      },
    });
    this.signedBlocks = signedBlocks;
    if (signedBlocks !== undefined) this.producer = this.createProducer(signedBlocks);
  }

  /**
   * Opens the data folder and creates the node.
   * @throws {UsageError} the configuration is invalid or does not fit the folder
   * @throws {DamageError} the folder is damaged
   */
  static async open(options: NodeOptions): Promise<TronicleNode> {
    const { config, dataDir, log, clock = machineClock } = options;
    const { library, reason } = secp256k1;
    if (library !== 'native')
      log.warn({ library, reason }, 'native secp256k1 not available, signature recovery is about 50 times slower');
    const chain = await openChain({ config, dataDir, log, now: clock.now });
    try {
      // The folder is now locked, so no `keystore import-protection` can replace the records of signed blocks.
      return new TronicleNode(options, chain, config.witness.enabled ? SignedBlocks.open(dataDir) : undefined);
    } catch (error) {
      await chain.ledger.close();
      throw error;
    }
  }

  /** Stops the node as SIGTERM does. Called at the stop target of `node.shutdown`. */
  stop(): void {
    this.ended.abort();
  }

  /**
   * Signal that aborts when the node must stop: at the stop target, or because of an error. {@link failure} contains
   * the error.
   */
  get mustStop(): AbortSignal {
    return this.ended.signal;
  }

  /** Adds a service. Services are closed in reverse order. */
  add(service: Service): void {
    this.services.push(service);
  }

  /** Must be called before a block of a peer is executed. */
  blockReceived(block: DecodedBlock): void {
    this.producer?.blockReceived(block);
  }

  startProducing(): void {
    this.producer?.start();
  }

  /**
   * Produces the block of the current slot immediately if the slot belongs to this node.
   * @returns true if a block was produced
   */
  async produceNow(): Promise<boolean> {
    return (await this.producer?.produceNow()) ?? false;
  }

  /**
   * Produces the block of the first slot after the head, if that slot has started and belongs to this node.
   * @returns true if a block was produced
   */
  async produceNextSlot(): Promise<boolean> {
    return (await this.producer?.produceNextSlot()) ?? false;
  }

  clockHasJumped(): void {
    this.producer?.restart();
  }

  /** Verifies a transaction and adds it to the mempool. @throws {ChainError} the transaction is rejected */
  submit(message: Transaction): DecodedTransaction {
    const transaction = decodeTransaction(message);
    this.chain.mempool.validateAndAdd(transaction);
    return transaction;
  }

  /**
   * Closes all services and the ledger, even if some of them cannot be closed. An open service would keep the process
   * alive.
   * @throws the first error; all errors are logged
   */
  async close(): Promise<void> {
    this.producer?.stop();
    const failures: unknown[] = [];
    const attempt = async (close: () => Promise<void>): Promise<void> => {
      try {
        await close();
      } catch (error) {
        this.log.error({ err: error }, 'part of the node not closed');
        failures.push(error);
      }
    };
    for (const service of [...this.services].reverse()) await attempt(() => service.close());
    await attempt(() => this.voted.write(this.dataDir));
    const { headNumber: head } = this.chain.ledger.position;
    await attempt(() => this.chain.ledger.close());
    this.log.info({ head }, 'node stopped');
    if (failures.length > 0) throw failures[0];
  }

  private createProducer(signedBlocks: SignedBlocks): Producer {
    const { config, chain, clock, log, keys } = this;
    const { accountAddress, privateKeys } = config.witness;
    log.info({ witness: accountAddress, keys: privateKeys.length }, 'block production enabled');
    return new Producer({
      chain,
      keys,
      clock,
      log,
      isSorted: config.node.openTransactionSort,
      timeoutPercent: config.node.blockProducedTimeOut,
      minParticipationRate: config.node.minParticipationRate,
      needsSyncFirst: config.block.needSyncCheck,
      signedBlocks,
      announce: (block) => this.announce?.(block),
      isMaster: () => this.isMaster(),
    });
  }
}
