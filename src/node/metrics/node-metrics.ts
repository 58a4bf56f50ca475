import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReplicaStatus } from '../../api/graphql/node-progress.js';
import { ChainMetrics, type NodeStatistics } from '../../api/metrics/chain-metrics.js';
import { addLoopDelay } from '../../api/metrics/loop-delay.js';
import { addMachineMetrics } from '../../api/metrics/machine-metrics.js';
import type { MetricSnapshot } from '../../api/metrics/metric-set.js';
import type { Chain } from '../../chain/chain.js';
import type { ChainListener, ChainStopwatch } from '../../chain/chain-listener.js';
import { TransactionContractContractType } from '../../codec/generated/messages.js';
import { secp256k1 } from '../../crypto/secp256k1.js';
import { addressText } from '../../encoding/address-text.js';
import { enumNames } from '../../encoding/json/enum-names.js';
import { addressBytes } from '../../primitives/address.js';
import type { DecodedBlock } from '../../state-transition/block/decoded-block.js';
import { activeWitnesses } from '../../state-transition/consensus/schedule.js';
import { lagInBlocks, type SinkStatus } from '../../streams/forwarding/sink-status.js';
import type { ErrorTally } from '../logging.js';
import type { NodePeers } from '../peers/node-peers.js';
import { PeerMetrics } from '../peers/peer-metrics.js';
import { LogMetrics } from './log-metrics.js';
import type { MainMetrics } from './main-metrics.js';
import { addOperatorMetrics, type NodeRole } from './operator-metrics.js';
import type { ReplicaLag } from './replica-lag.js';

export interface NodeMetricsOptions {
  readonly chain: Chain;
  readonly dataDir: string;
  readonly log: Logger;
  /** True if `node.metricsEnable` is set. */
  readonly hasMeters: boolean;
  /** True to add the metrics that release 4.8.2 introduced. */
  readonly hasLaterMetrics?: boolean;
  /** Counts of logged errors, by topic and class. */
  readonly errors?: ErrorTally | undefined;
  /** Newest status of every sink, by name; undefined without sinks. */
  readonly sinks: ReadonlyMap<string, SinkStatus> | undefined;
  /** Peers of the node; undefined without a network. */
  readonly peers?: NodePeers;
  /** Lag of a read replica; undefined for other nodes. */
  readonly lag?: ReplicaLag | undefined;
  /** java-tron release to emulate (`tronicle.release`). */
  readonly release: string;
  readonly role: NodeRole;
  /** Returns the number of log lines that could not be written; undefined if the log is not a file. */
  readonly droppedLines?: (() => number | undefined) | undefined;
  /** Addresses of the witnesses whose keys this node has. */
  readonly producers?: readonly Uint8Array[] | undefined;
  /** Returns false if another member of the backup group produces blocks. Default: always true. */
  readonly isMaster?: (() => boolean) | undefined;
}

const SINK_STATES = ['starting', 'forwarding', 'retrying', 'stopped', 'closed', 'done'] as const;
/**
 * Databases whose size is a metric, as values of a label. java-tron's metric has further labels for the database engine
 * and the LevelDB level. In Tronicle, both labels are constant, because each database is one LMDB file.
 */
const ENVIRONMENTS = ['log', 'state'] as const;
const ENGINE = 'LMDB';
const LEVEL = '0';

/** Counts the events of the main thread until `close`. */
export class NodeMetrics implements MainMetrics {
  private readonly options: NodeMetricsOptions;
  private readonly counters: ChainMetrics;
  private readonly ofLog: LogMetrics;
  private readonly ofPeers: PeerMetrics;
  private readonly listener: ChainListener;
  private readonly stopDelay: () => void;
  private readonly rejected: Counter;
  /** Total missed slots per witness, as of the last block. */
  private readonly missed = new Map<string, bigint>();
  /** Base58 addresses of the active witnesses, as of the last block. */
  private active: ReadonlySet<string>;
  private maintenanceMs = 0;
  private readonly ownMissed: (witness: string, slots: number) => void;

  constructor(options: NodeMetricsOptions) {
    const { chain, hasMeters, hasLaterMetrics, peers } = options;
    this.options = options;
    this.ofPeers = peers?.counts ?? new PeerMetrics({ hasMeters, now: Date.now });
    this.counters = new ChainMetrics({ hasMeters, hasLater: hasLaterMetrics, now: () => performance.now() });
    const { registry } = this.counters.set;
    addMachineMetrics(registry);
    this.stopDelay = addLoopDelay(registry, 'main');
    addOwnMetrics(registry, options);
    this.ofLog = new LogMetrics({ ledger: chain.ledger, registry, log: options.log });
    this.ownMissed = addOperatorMetrics(registry, { ...options, producers: options.producers?.map(addressText) });
    this.rejected = new Counter({
      name: 'tronicle_block_differs_total',
      help: 'Blocks with a valid witness signature that were rejected for a mismatched result; reports are in rejected-blocks/',
      registers: [registry],
    });
    this.newlyMissed();
    this.active = this.activeNow();
    const { headNumber } = chain.ledger.position;
    this.counters.set.set('tron:header_height', headNumber);
    this.counters.set.set('tron:header_time', chain.state.properties.number('latest_block_header_timestamp'));
    this.listener = this.createListener();
    chain.listeners.add(this.listener);
    chain.stopwatch = this.createStopwatch();
    chain.mempool.observer = {
      refused: ({ exception }) => this.counters.transactionRefused(exception),
      timedOut: (count) => this.counters.transactionsTimedOut(count),
      executed: ({ contractType }, seconds, isPacked) =>
        this.counters.transactionExecuted(isPacked ? 'block' : 'trx', nameOf(contractType), seconds),
    };
  }

  async snapshot(): Promise<MetricSnapshot> {
    this.readGauges();
    return [...(await this.counters.set.snapshot()), ...(await this.ofPeers.set.snapshot())];
  }

  statistics(): NodeStatistics {
    const isMaster = this.options.isMaster?.() ?? true;
    return { ...this.counters.statistics(), ofPeers: this.ofPeers.statistics(), isMaster };
  }

  sinks(): readonly SinkStatus[] {
    return [...(this.options.sinks?.values() ?? [])];
  }

  replica(): ReplicaStatus | undefined {
    return this.options.lag?.status;
  }

  storageProblem(): string | undefined {
    return this.options.chain.ledger.storageProblem;
  }

  async close(): Promise<void> {
    const { chain } = this.options;
    chain.listeners.delete(this.listener);
    chain.stopwatch = undefined;
    chain.mempool.observer = undefined;
    this.stopDelay();
    await this.ofLog.close();
  }

  private createListener(): ChainListener {
    const { counters } = this;
    return {
      offered: ({ transactions, raw }) => counters.blockOffered(transactions.length, addressText(raw.witnessAddress)),
      applied: (block) => {
        counters.blockApplied(factsOf(block), this.newlyMissed());
        this.compareActive();
      },
      reverted: () => {
        if (this.options.hasLaterMetrics === true) this.active = this.activeNow();
      },
      forked: (hasFailed) => counters.forked(hasFailed),
      differs: () => this.rejected.inc(),
    };
  }

  private createStopwatch(): ChainStopwatch {
    const { counters } = this;
    return {
      pushed: (seconds) => counters.blockPushed(seconds),
      signed: (seconds) => counters.signaturesChecked(seconds),
      executed: ({ contractType }, seconds) => counters.transactionExecuted('block', nameOf(contractType), seconds),
      produced: (miner, seconds, delaySeconds) => counters.blockProduced(addressText(miner), seconds, delaySeconds),
    };
  }

  /** Returns the number of slots that witnesses missed since the previous call, by Base58 address. */
  private newlyMissed(): ReadonlyMap<string, number> {
    const { state } = this.options.chain;
    const newly = new Map<string, number>();
    for (const witness of activeWitnesses(state)) {
      const total = state.witnesses.get(witness)?.totalMissed ?? 0n;
      const slots = Number(total - (this.missed.get(witness) ?? total));
      this.missed.set(witness, total);
      if (slots <= 0) continue;
      const text = addressText(addressBytes(witness));
      newly.set(text, slots);
      this.ownMissed(text, slots);
    }
    return newly;
  }

  private activeNow(): ReadonlySet<string> {
    return new Set(activeWitnesses(this.options.chain.state).map((witness) => addressText(addressBytes(witness))));
  }

  /** Counts changes of the set of active witnesses. The set changes only at maintenance. */
  private compareActive(): void {
    if (this.options.hasLaterMetrics !== true) return;
    const before = this.active;
    const { state } = this.options.chain;
    const nextMs = state.properties.number('NEXT_MAINTENANCE_TIME');
    if (nextMs === this.maintenanceMs) return;
    this.maintenanceMs = nextMs;
    this.active = this.activeNow();
    this.counters.witnessesChanged(before, this.active);
  }

  private readGauges(): void {
    const { chain, dataDir, errors } = this.options;
    const { set } = this.counters;
    for (const [miner, count] of this.ofPeers.takeDuplicates()) set.inc('tron:miner', [miner, 'dup'], count);
    for (const { topic, type, count } of errors?.take() ?? []) set.inc('tron:error_info', [topic, type], count);
    set.set('tron:manager_queue_size', chain.mempool.pending.size, ['pending']);
    set.set('tron:manager_queue_size', chain.mempool.repush.size, ['repush']);
    for (const type of ['popped', 'queued']) set.set('tron:manager_queue_size', 0, [type]);
    const { active: all = 0, dialled: active = 0, inSync: valid = 0 } = this.options.peers ?? {};
    const counts = { all, active, passive: all - active, valid };
    for (const [type, count] of Object.entries(counts)) set.set('tron:peers', count, [type]);
    for (const name of ENVIRONMENTS) {
      set.set('tron:db_size_bytes', fileBytes(join(dataDir, name, 'data.mdb')), [ENGINE, name, LEVEL]);
      set.set('tron:db_sst_level', 1, [ENGINE, name, LEVEL]);
    }
  }
}

/** Adds metrics that java-tron does not have. */
function addOwnMetrics(registry: Registry, { chain, sinks, lag }: NodeMetricsOptions): void {
  const { ledger } = chain;
  gauge(registry, 'tronicle_log_seq', 'Sequence number of the newest log entry', [], (show) =>
    show(ledger.position.seq),
  );
  gauge(
    registry,
    'tronicle_log_stored_seq',
    'Sequence number of the newest log entry that is flushed to disk',
    [],
    (show) => show(ledger.storedSeq),
  );
  gauge(
    registry,
    'tronicle_log_begin_height',
    'The log contains genesis and the blocks above this height',
    [],
    (show) => show(ledger.startNumber),
  );
  gauge(registry, 'tronicle_solidified_height', 'Height of the newest solidified block', [], (show) =>
    show(ledger.position.solidifiedNumber),
  );
  gauge(
    registry,
    'tronicle_secp256k1_info',
    '1 for the library that recovers public keys from signatures; noble is about 50 times slower than native',
    ['library'],
    (show) => show(1, secp256k1.library),
  );
  gauge(
    registry,
    'tronicle_projection_lag_entries',
    'Number of log entries that a projection has not stored yet',
    ['projection'],
    (show) => show(ledger.position.seq - ledger.stateSeq, 'state'),
  );
  gauge(registry, 'tronicle_projection_rows', 'Number of rows of a state projection', ['projection'], (show) => {
    for (const { name, rows } of ledger.stateSums().projections) show(rows, name);
  });
  gauge(
    registry,
    'tronicle_projection_position',
    'Sequence number of the newest log entry in the stored rows of a state projection',
    ['projection'],
    (show) => {
      const { seq, projections } = ledger.stateSums();
      for (const { name } of projections) show(seq, name);
    },
  );
  if (lag !== undefined) addReplicaMetrics(registry, lag);
  if (sinks === undefined) return;
  gauge(
    registry,
    'tronicle_sink_lag_blocks',
    'Number of solidified blocks that a sink has not forwarded yet',
    ['sink'],
    (show) => {
      const { position, startNumber } = ledger;
      for (const status of sinks.values())
        show(lagInBlocks(status, position.solidifiedNumber, startNumber), status.name);
    },
  );
  gauge(
    registry,
    'tronicle_sink_records',
    'Records that a sink has forwarded since the start; same value as tronicle_sink_records_total',
    ['sink'],
    (show) => {
      for (const { name, records } of sinks.values()) show(records, name);
    },
  );
  gauge(registry, 'tronicle_sink_state', '1 for the current state of a sink', ['sink', 'state'], (show) => {
    for (const { name, state } of sinks.values()) {
      for (const each of SINK_STATES) show(each === state ? 1 : 0, name, each);
    }
  });
}

function addReplicaMetrics(registry: Registry, lag: ReplicaLag): void {
  const topic = 'the followed log topic';
  gauge(
    registry,
    'tronicle_replica_lag_records',
    `Number of records of ${topic} that this replica has not applied yet`,
    [],
    (show) => show(lag.records),
  );
  gauge(
    registry,
    'tronicle_replica_lag_seconds',
    `Seconds since the newest applied record was written to ${topic}; 0 if all records are applied`,
    [],
    (show) => show(lag.seconds),
  );
  gauge(registry, 'tronicle_replica_connected', `1 if ${topic} is readable`, [], (show) =>
    show(lag.isConnected ? 1 : 0),
  );
}

type Show = (value: number, ...labels: string[]) => void;

function gauge(registry: Registry, name: string, help: string, labelNames: string[], read: (show: Show) => void): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      // Deletes all old values, because a sink may no longer exist.
      this.reset();
      read((value, ...labels) => this.labels(...labels).set(value));
    },
  });
}

function factsOf({ number, timeMs, transactions, raw }: DecodedBlock) {
  return { number, timeMs, transactions: transactions.length, miner: addressText(raw.witnessAddress) };
}

const contractNames = enumNames(TransactionContractContractType).byNumber;

function nameOf(contractType: number): string {
  return contractNames.get(contractType) ?? 'UNRECOGNIZED';
}

/** Returns the disk space of a file in bytes; 0 if it does not exist. */
function fileBytes(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 0 : found.blocks * 512;
}
