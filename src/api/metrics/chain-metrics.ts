import type { Rate } from './meter.js';
import { Meter, NO_RATE } from './meter.js';
import { MetricSet } from './metric-set.js';
import { NO_PEER_STATISTICS, type PeerStatistics } from './peer-statistics.js';
import { laterNodeMetrics, type NodeMetricName, nodeMetrics } from './reference-metrics.js';

/** Block statistics of `getstatsinfo`, as plain data that can be sent to another thread. */
interface ChainStatistics {
  readonly blockProcessTime: Rate;
  readonly tps: Rate;
  readonly forkCount: number;
  readonly failForkCount: number;
}

/** Block statistics, peer statistics, and the role in the backup group. */
export interface NodeStatistics extends ChainStatistics {
  readonly ofPeers: PeerStatistics;
  /** False if another member of the backup group produces blocks. */
  readonly isMaster: boolean;
}

interface ChainMetricsOptions {
  /** True if meters are enabled (`node.metricsEnable`). If false, all meters stay at 0. */
  readonly hasMeters: boolean;
  /** True if the metrics that release 4.8.2 added are included. */
  readonly hasLater?: boolean | undefined;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

/** Fields of a block that the metrics use. */
interface BlockFacts {
  readonly number: number;
  /** Timestamp of the block, in ms since 1970. */
  readonly timeMs: number;
  readonly transactions: number;
  /** Address of the witness that produced the block, in Base58Check. */
  readonly miner: string;
}

/** Label in `tron:txs` for each reason of a rejection, by exception class. Reference: MetricLabels.Counter. */
const failures: Readonly<Record<string, string>> = {
  TooBigTransactionException: 'big',
  TransactionExpirationException: 'expired',
  ValidateSignatureException: 'sig',
  TaposException: 'tapos',
  DupTransactionException: 'dup',
};

export const NO_STATISTICS: NodeStatistics = {
  blockProcessTime: NO_RATE,
  tps: NO_RATE,
  forkCount: 0,
  failForkCount: 0,
  ofPeers: NO_PEER_STATISTICS,
  isMaster: true,
};

/** Counts events of the chain. Reference: BlockChainMetricManager, Manager, StatisticManager. */
export class ChainMetrics {
  readonly set: MetricSet<NodeMetricName>;
  private readonly hasLater: boolean;
  private readonly hasMeters: boolean;
  private readonly processTime: Meter;
  private readonly tps: Meter;
  private forks = 0;
  private failedForks = 0;

  constructor({ hasMeters, hasLater = false, now }: ChainMetricsOptions) {
    this.set = new MetricSet<NodeMetricName>(hasLater ? [...nodeMetrics, ...laterNodeMetrics] : nodeMetrics);
    this.hasLater = hasLater;
    this.hasMeters = hasMeters;
    this.processTime = new Meter(now);
    this.tps = new Meter(now);
  }

  /**
   * Counts a block that was added to the chain.
   * @param missed number of slots without a block before this block, by Base58Check address of the witness that missed
   * them
   */
  blockApplied({ number, timeMs, transactions, miner }: BlockFacts, missed: ReadonlyMap<string, number>): void {
    this.set.set('tron:header_height', number);
    this.set.set('tron:header_time', timeMs);
    this.set.inc('tron:miner', [miner, 'success']);
    for (const [address, slots] of missed) this.set.inc('tron:miner', [address, 'miss'], slots);
    if (transactions > 0) this.set.inc('tron:txs', ['success', 'success'], transactions);
    if (transactions > 0 && this.hasMeters) this.tps.mark(transactions);
  }

  /**
   * Counts a received block, even if it is invalid.
   * @param miner Base58Check address of the witness that produced the block
   */
  blockOffered(transactions: number, miner: string): void {
    if (this.hasLater) this.set.observe('tron:block_transaction_count', transactions, [miner]);
  }

  /**
   * Counts changes of the set of active witnesses. Reference: SRMetrics.recordSrSetChange.
   * @param before,after Base58Check addresses
   */
  witnessesChanged(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    if (!this.hasLater) return;
    for (const witness of after) if (!before.has(witness)) this.set.inc('tron:sr_set_change', ['add', witness]);
    for (const witness of before) if (!after.has(witness)) this.set.inc('tron:sr_set_change', ['remove', witness]);
  }

  /** Records the time to apply a block to the head. */
  blockPushed(seconds: number): void {
    this.set.observe('tron:block_push_latency_seconds', seconds);
    if (this.hasMeters) this.processTime.mark(Math.round(seconds * 1000));
  }

  blockProduced(miner: string, seconds: number, delaySeconds: number): void {
    this.set.observe('tron:block_generate_latency_seconds', seconds, [miner]);
    this.set.observe('tron:miner_delay_seconds', delaySeconds, [miner]);
  }

  forked(hasFailed: boolean): void {
    this.set.inc('tron:block_fork', [hasFailed ? 'fail' : 'all']);
    if (hasFailed) this.failedForks++;
    else this.forks++;
  }

  /** Counts a rejected transaction. @param code name of the exception class, without its package */
  transactionRefused(code: string): void {
    const detail = failures[code];
    if (detail !== undefined) this.set.inc('tron:txs', ['fail', detail]);
  }

  transactionsTimedOut(count: number): void {
    if (count > 0) this.set.inc('tron:txs', ['fail', 'timeout'], count);
  }

  /** Records the execution time of a transaction. @param contract name of the contract type */
  transactionExecuted(where: 'block' | 'trx', contract: string, seconds: number): void {
    this.set.observe('tron:process_transaction_latency_seconds', seconds, [where, contract]);
  }

  signaturesChecked(seconds: number): void {
    this.set.observe('tron:verify_sign_latency_seconds', seconds, ['trx']);
  }

  statistics(): ChainStatistics {
    if (!this.hasMeters) return NO_STATISTICS;
    return {
      blockProcessTime: this.processTime.rate(),
      tps: this.tps.rate(),
      forkCount: this.forks,
      failForkCount: this.failedForks,
    };
  }
}
